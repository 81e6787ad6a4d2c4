import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { bookingText } from '../../shared/scheduler/bookings/ics.ts';
import { bookingLinks } from '../../shared/scheduler/bookings/links.ts';
import { bookingRow } from '../../shared/scheduler/bookings/rows.ts';
import { schedulerSettingsOf } from '../../shared/scheduler/settings/queries.ts';
import { file } from '../http/files/declarations.ts';
import { writtenFile } from '../http/files/written.ts';
import { CALENDAR_TYPE } from './calendar-type.ts';

const WHAT =
  'As iCalendar (RFC 5545) in UTC, under the UID of its mails: `TENTATIVE` while it waits for confirmation, `CANCELLED` once it is off.';

/** Bookings as files for calendars. */
export const ics = [
  file({
    id: 'scheduler.bookings.ics',
    path: '/api/v1/scheduler/bookings/:id/ics',
    scope: 'scheduler:read',
    summary: 'Download a booking for a calendar',
    description: WHAT,
    params: byId('book'),
    media_types: [CALENDAR_TYPE],
    handle: async ({ params, base_url }, reader) => {
      const booking = await bookingRow(reader, params.id);
      const { locale } = await schedulerSettingsOf(reader);
      return icsFile(bookingText(reader, booking, { base_url, locale }), booking.updated_at);
    },
  }),
  file({
    id: 'scheduler.guest_bookings.ics',
    path: '/api/v1/scheduler/b/:token/ics',
    scope: 'link',
    link: bookingLinks,
    summary: 'Download your booking for a calendar',
    description: `${WHAT} It holds the link of the booking.`,
    params: z.strictObject({
      token: z
        .string()
        .describe('The token of the link in the mails about the booking.')
        .meta({ examples: ['q9hV2cXo1mJ4sZkT7uWb0yRnAeLdGf3iKp5xQvE8tMI'] }),
    }),
    media_types: [CALENDAR_TYPE],
    handle: async ({ link, params, base_url }, reader) => {
      const booking = await bookingRow(reader, link!.record_id);
      const { locale } = booking.guest;
      const url = `${base_url}${bookingLinks.page}/${params.token}`;
      return icsFile(bookingText(reader, booking, { base_url, locale, url }), booking.updated_at);
    },
  }),
];

function icsFile(text: string, created_at: string) {
  return writtenFile({ file_name: 'booking.ics', media_type: CALENDAR_TYPE, text, created_at });
}
