import { z } from 'zod';
import type { Reader } from '../../shared/kernel/reader.ts';
import { bookAsGuest, liveOfBooking } from '../../shared/scheduler/bookings/book.ts';
import { GuestBookingInput } from '../../shared/scheduler/bookings/input.ts';
import { bookingLink } from '../../shared/scheduler/bookings/links.ts';
import { liveBusyAt } from '../../shared/scheduler/bookings/live.ts';
import { GuestBooking } from '../../shared/scheduler/bookings/record.ts';
import { shownToGuest } from '../../shared/scheduler/bookings/shown.ts';
import { livingEventTypeBySlug } from '../../shared/scheduler/event-types/queries.ts';
import { write } from '../http/endpoint.ts';
import { ANSWERS_LIMITS, START_REFUSALS } from './bookings.ts';
import { pageParams } from './p.ts';

/** What a guest does on the page of an event type. */
export const book = [
  write({
    id: 'scheduler.guest_bookings.create',
    method: 'post',
    path: '/api/v1/scheduler/p/:orgSlug/:eventTypeSlug/book',
    scope: 'organization',
    summary: 'Book as a guest',
    description:
      'Any start that the rules allow, whether or not it is among the slots. `guest_url` is the link of the booking: it stands in the mails too. A replay answers it again.',
    params: pageParams,
    body: GuestBookingInput,
    body_limits: ANSWERS_LIMITS,
    status: 201,
    reply: z.strictObject({
      booking: GuestBooking,
      token: z.string().meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] }),
      guest_url: z.string().meta({
        examples: ['https://service.example.co.jp/b/V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'],
      }),
    }),
    secrets: ['token', 'guest_url'],
    renew: async ({ booking }, work, { base_url }) => linkOf(work, booking as Ended, base_url),
    raises: [...START_REFUSALS],
    prepare: ({ params, body, outside }, { caller, database }) =>
      liveBusyAt(
        { database, services: outside, clock: () => caller.now },
        caller.organization_id,
        async (reader) =>
          liveOfBooking(reader, await livingEventTypeBySlug(reader, params.eventTypeSlug), body),
      ),
    handle: async ({ params, body, base_url, prepared: live }, work) => {
      const { booking, event_type } = await bookAsGuest(work, params.eventTypeSlug, body, null, live);
      const shown = await shownToGuest(work, booking, event_type);
      return { booking: shown, ...(await linkOf(work, booking, base_url)) };
    },
  }),
];

/** A booking as its link is made of it. */
export type Ended = { id: string; end: string };

/** The link of a booking, which is the same whenever it is made. */
export function linkOf({ connection, now, organization_id }: Reader, { id, end }: Ended, base_url: string) {
  return bookingLink({ connection, now, base_url }, { organization_id, id, end });
}
