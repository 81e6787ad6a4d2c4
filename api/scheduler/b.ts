import { z } from 'zod';
import type { Work } from '../../shared/kernel/work.ts';
import { GuestCancellation, GuestRescheduling } from '../../shared/scheduler/bookings/input.ts';
import { bookingLinks } from '../../shared/scheduler/bookings/links.ts';
import { liveBusyAt } from '../../shared/scheduler/bookings/live.ts';
import { readSlotsForGuest } from '../../shared/scheduler/bookings/moving.ts';
import { bookingForGuest, guestView } from '../../shared/scheduler/bookings/queries.ts';
import { type BookingRecord, GuestBooking } from '../../shared/scheduler/bookings/record.ts';
import { liveOfMove, rescheduleAsGuest } from '../../shared/scheduler/bookings/reschedule.ts';
import { cancelAsGuest } from '../../shared/scheduler/bookings/settle.ts';
import { guestRefusalsOf } from '../../shared/scheduler/bookings/transitions.ts';
import { Slots } from '../../shared/scheduler/offers/record.ts';
import { eventTypeOfGuest } from '../../shared/scheduler/public/queries.ts';
import { PublicEventType } from '../../shared/scheduler/public/record.ts';
import { read, write } from '../http/endpoint.ts';
import { START_REFUSALS } from './bookings.ts';
import { slotsQuery, timedSlots } from './timed-slots.ts';

const PATH = '/api/v1/scheduler/b/:token';

/** What every call of a guest about a booking is. */
export const ofBooking = {
  scope: 'link',
  link: bookingLinks,
  params: z.strictObject({
    token: z
      .string()
      .describe("The token of the booking: the last part of the link in the guest's mails.")
      .meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] }),
  }),
} as const;

const Reply = z.strictObject({
  booking: GuestBooking,
  event_type: PublicEventType.nullable().describe('null for a booking without one.'),
});

/** As for all slots, but that a move keeps the length. */
const query = slotsQuery.extend({
  duration_minutes: slotsQuery.shape.duration_minutes.describe("The booking's, which a move keeps."),
});

/** What guests do by the link of their booking. */
export const b = [
  read({
    ...ofBooking,
    id: 'scheduler.guest_bookings.get',
    method: 'get',
    path: PATH,
    summary: 'Read a booking by its link',
    description: 'The link works until 30 days after the end.',
    reply: Reply,
    handle: async ({ link, base_url }, reader) => {
      const booking = await bookingForGuest(reader, link!.record_id);
      return { booking, event_type: await eventTypeOfGuest(reader, booking.event_type_id, base_url) };
    },
  }),
  read({
    ...ofBooking,
    id: 'scheduler.guest_bookings.slots',
    method: 'get',
    path: `${PATH}/slots`,
    page: null,
    summary: 'List the slots that a booking can be moved to',
    description:
      'From now for 31 days unless said. The booking itself is not in the way. Refused where the guest may not move it.',
    query,
    reply: Slots,
    raises: guestRefusalsOf('reschedule'),
    handle: ({ link, query: asked }, reader) =>
      timedSlots(() => readSlotsForGuest(reader, link!.record_id, asked)),
  }),
  write({
    ...ofBooking,
    id: 'scheduler.guest_bookings.cancel',
    method: 'post',
    path: `${PATH}/cancel`,
    summary: 'Cancel a booking by its link',
    description: 'As long before the start as the event type says.',
    body: GuestCancellation,
    reply: Reply,
    raises: guestRefusalsOf('cancel'),
    handle: async ({ link, body, base_url }, work) =>
      answered(work, await cancelAsGuest(work, link!.record_id, body.reason), base_url),
  }),
  write({
    ...ofBooking,
    id: 'scheduler.guest_bookings.reschedule',
    method: 'post',
    path: `${PATH}/reschedule`,
    summary: 'Move a booking by its link',
    description:
      'As long before the start as the event type says. The link stays the same. Where bookings are confirmed by hand, it waits again.',
    body: GuestRescheduling,
    reply: Reply,
    raises: [...guestRefusalsOf('reschedule'), ...START_REFUSALS],
    prepare: ({ link, body, outside }, { caller, database }) =>
      liveBusyAt({ database, services: outside, clock: () => caller.now }, caller.organization_id, (reader) =>
        liveOfMove(reader, link!.record_id, { ...body, force: false }),
      ),
    handle: async ({ link, body, base_url, prepared: live }, work) => {
      const row = await rescheduleAsGuest(work, link!.record_id, body.start, live);
      return answered(work, row, base_url);
    },
  }),
];

async function answered(work: Work, row: BookingRecord, base_url: string) {
  return {
    booking: await guestView(work, row),
    event_type: await eventTypeOfGuest(work, row.event_type_id, base_url),
  };
}
