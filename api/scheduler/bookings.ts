import { z } from 'zod';
import { byId, email, id, timestampInput } from '../../shared/kernel/schema.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { bookAsStaff, liveOfBooking } from '../../shared/scheduler/bookings/book.ts';
import {
  BookingInput,
  BookingPatch,
  Cancellation,
  NoShow,
  Rescheduling,
} from '../../shared/scheduler/bookings/input.ts';
import { liveBusyAt } from '../../shared/scheduler/bookings/live.ts';
import { bookingById, bookingPage } from '../../shared/scheduler/bookings/queries.ts';
import {
  Booking,
  type BookingRecord,
  bookingKind,
  bookingStatuses,
} from '../../shared/scheduler/bookings/record.ts';
import { liveOfMove, rescheduleBooking } from '../../shared/scheduler/bookings/reschedule.ts';
import { BookingSession, cancelSession } from '../../shared/scheduler/bookings/session-calls.ts';
import {
  cancelBooking,
  confirmBooking,
  declineBooking,
  setNoShow,
} from '../../shared/scheduler/bookings/settle.ts';
import { shown } from '../../shared/scheduler/bookings/shown.ts';
import { refusalsOf } from '../../shared/scheduler/bookings/transitions.ts';
import { updateBooking } from '../../shared/scheduler/bookings/update.ts';
import { eventTypeById } from '../../shared/scheduler/event-types/queries.ts';
import { bookingExport } from '../../shared/scheduler/exports/bookings.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { resource } from '../http/resource.ts';

const PATH = '/api/v1/scheduler/bookings';

const booking = resource({
  id: 'scheduler.bookings',
  path: PATH,
  domain: 'scheduler',
  one: 'a booking',
  prefix: 'book',
});

const Reply = z.strictObject({ booking: Booking });

/** What a guest's call may have: 30 answers of 5,000 letters, as the form of the page. */
export const ANSWERS_LIMITS = { bytes: 1024 ** 2 };

/** What a start can be refused with. */
export const START_REFUSALS = [
  'slot_taken',
  'already_booked',
  'limit_reached',
  'not_bookable',
  'calendar_unavailable',
] as const;

/** What bookings are filtered by, in lists and exports. */
export const bookingFilters = {
  status: manyOf(z.enum(bookingStatuses))
    .describe('Several with commas. `completed` are confirmed ones that have ended.')
    .meta({ examples: ['pending,confirmed'] })
    .optional(),
  event_type_id: id('etype').optional(),
  user_id: id('usr').describe('Only those that this member hosts.').optional(),
  guest_email: email().describe('Without regard to case.').optional(),
  start_from: timestampInput().describe('Starts at this time or later.').optional(),
  start_to: timestampInput().describe('Starts before this time.').optional(),
  search: z
    .string()
    .max(200)
    .describe('A part of the title, or of the name, e-mail or phone of the guest.')
    .meta({ examples: ['佐藤'] })
    .optional(),
};

const answered = async (work: Work, row: Promise<BookingRecord>) => ({
  booking: await shown(work, await row),
});

const action = (name: string) =>
  ({
    id: `scheduler.bookings.${name.replace('-', '_')}`,
    method: 'post',
    path: `${PATH}/:id/${name}`,
    scope: 'scheduler:write',
    params: byId('book'),
    reply: Reply,
  }) as const;

const bookingsListed = list({
  ...booking.list,
  summary: 'List bookings',
  description: 'Of all members. Those of a session stand for themselves, one a guest.',
  item: Booking,
  filters: z.strictObject(bookingFilters),
  looked_up: bookingKind,
  sorts: ['start'],
  handle: ({ filters, window }, reader) => bookingPage(reader, filters, window),
});

/** What staff do with bookings. */
export const bookings = [
  bookingsListed,
  exportOf(bookingsListed, bookingExport),
  read({
    ...booking.get,
    description:
      'A pending one that nobody confirmed in time reads `expired`, a confirmed one whose end has passed `completed`.',
    reply: Reply,
    handle: async ({ params }, reader) => ({ booking: await bookingById(reader, params.id) }),
  }),
  write({
    ...booking.create,
    summary: 'Book for a guest',
    description:
      'By the rules that hold for guests, and confirmed at once. `force` passes over all of them but bookings and holds of the hosts. `user_ids` chooses the hosts among the members of the event type.',
    body: BookingInput,
    reply: Reply,
    raises: [...START_REFUSALS, 'unknown_reference', 'already_exists'],
    prepare: ({ body, outside }, { caller, database }) =>
      liveBusyAt(
        { database, services: outside, clock: () => caller.now },
        caller.organization_id,
        async (reader) => {
          if (body.force) return null;
          return liveOfBooking(reader, await eventTypeById(reader, body.event_type_id), body);
        },
      ),
    handle: ({ body, prepared: live }, work) => answered(work, bookAsStaff(work, body, live)),
  }),
  write({
    ...booking.update,
    description: 'Only `external_id` and `metadata`: all else changes by the actions of a booking.',
    body: BookingPatch,
    reply: Reply,
    raises: ['already_exists'],
    handle: ({ params, body }, work) => answered(work, updateBooking(work, params.id, body)),
  }),
  write({
    ...action('confirm'),
    summary: 'Confirm a booking',
    description:
      'One that waits. Where it took no time while it waited, its hosts must be there and free by now. Guest and hosts are told by mail.',
    raises: [...refusalsOf('confirm'), 'slot_taken', 'not_bookable', 'calendar_unavailable'],
    handle: ({ params }, work) => answered(work, confirmBooking(work, params.id)),
  }),
  write({
    ...action('decline'),
    summary: 'Decline a booking',
    description: 'One that waits. Its time is free at once.',
    body: Cancellation,
    raises: refusalsOf('decline'),
    handle: ({ params, body }, work) => answered(work, declineBooking(work, params.id, body)),
  }),
  write({
    ...action('cancel'),
    summary: 'Cancel a booking',
    description: 'Until its end. Its time is free at once, and it leaves the calendars.',
    body: Cancellation,
    raises: refusalsOf('cancel'),
    handle: ({ params, body }, work) => answered(work, cancelBooking(work, params.id, body)),
  }),
  write({
    ...action('reschedule'),
    summary: 'Move a booking',
    description:
      'In place: ID, link and calendar entry stay, `revision` counts, `history` keeps the time before. The same hosts if they are free, else as for a new booking. What changes nothing is answered and recorded nowhere.',
    body: Rescheduling,
    raises: [...refusalsOf('reschedule'), ...START_REFUSALS],
    prepare: ({ params, body, outside }, { caller, database }) =>
      liveBusyAt({ database, services: outside, clock: () => caller.now }, caller.organization_id, (reader) =>
        liveOfMove(reader, params.id, body),
      ),
    handle: ({ params, body, prepared: live }, work) =>
      answered(work, rescheduleBooking(work, params.id, body, live)),
  }),
  write({
    ...action('no-show'),
    summary: 'Say that a guest did not come',
    description: 'After the start; `false` takes it back.',
    body: NoShow,
    raises: refusalsOf('no-show'),
    handle: ({ params, body }, work) => answered(work, setNoShow(work, params.id, body.no_show)),
  }),
  write({
    id: 'scheduler.sessions.cancel',
    method: 'post',
    path: '/api/v1/scheduler/sessions/:id/cancel',
    scope: 'scheduler:write',
    summary: 'Cancel a session',
    description: 'With all its bookings, in one commit.',
    params: byId('bsess'),
    body: Cancellation,
    reply: z.strictObject({ session: BookingSession }),
    raises: ['invalid_transition'],
    handle: async ({ params, body }, work) => ({ session: await cancelSession(work, params.id, body) }),
  }),
];
