import { z } from 'zod';
import { CalendarAccount, FeedAddress } from '../../shared/scheduler/calendars/addresses.ts';
import { checkAddress } from '../../shared/scheduler/calendars/by-address.ts';
import { connectAccount, tryAccount } from '../../shared/scheduler/calendars/caldav/connect.ts';
import { connectFeed } from '../../shared/scheduler/calendars/ics/connect.ts';
import { CalendarConnection } from '../../shared/scheduler/calendars/record.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';

const connecting = { method: 'post', scope: 'scheduler:write', session: true, status: 201 } as const;
const HOSTS =
  'The host is called by https at public addresses alone, unless the setting `CALENDAR_HOSTS` names it.';

/** Calendars that members connect by their address. */
export const calendarsByAddress = [
  write({
    ...connecting,
    id: 'scheduler.calendars.connect_caldav',
    path: '/api/v1/scheduler/calendars/connect/caldav',
    summary: 'Connect the calendars of a CalDAV server',
    description: `${HOSTS} The server is asked for the calendars of the account first; the first one it lists checks conflicts. They are only read. \`url\` may be that of the server, of the account or of one calendar. The same account again renews its connection. At most 20 connections a member.`,
    body: CalendarAccount,
    reply: z.strictObject({ connection: CalendarConnection }),
    raises: ['forbidden_address', 'provider_error', 'unknown_reference', 'in_use'],
    prepare: ({ body, outside }) => tryAccount(outside, body),
    handle: async ({ body, outside, prepared }, work) =>
      connected(await connectAccount(work, outside, body, prepared)),
  }),
  write({
    ...connecting,
    id: 'scheduler.calendars.connect_ics',
    path: '/api/v1/scheduler/calendars/connect/ics',
    summary: 'Connect a feed of iCalendar',
    description: `${HOSTS} The feed is read after the answer and every 15 minutes: the connection of one that cannot be read becomes \`error\`. Whoever knows the address reads the calendar, so it is in no answer. The same address again renews its connection. At most 20 connections a member.`,
    body: FeedAddress,
    reply: z.strictObject({ connection: CalendarConnection }),
    raises: ['forbidden_address', 'unknown_reference', 'in_use'],
    prepare: ({ body, outside }) => checkAddress(outside, body.url),
    handle: async ({ body, outside }, work) => connected(await connectFeed(work, outside, body.url)),
  }),
];

/** Connections of all kinds stand in one list, below which they are changed. */
function connected(connection: CalendarConnection): Answer<{ connection: CalendarConnection }> {
  const Location = `/api/v1/scheduler/calendars/connections/${connection.id}`;
  return new Answer(201, { connection }, { Location });
}
