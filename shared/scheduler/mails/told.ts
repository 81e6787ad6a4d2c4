import { z } from 'zod';
import { timestamp } from '../../kernel/schema.ts';
import type { BookingChange } from '../bookings/change.ts';
import type { BookingRecord } from '../bookings/record.ts';
import { hearingOf } from '../icalendar/sequence.ts';

/**
 * What a mail says about a booking. `assigned`: the reader hosts it from now on; `released`: not any more. `seats_changed`
 * is about a session: so many have a seat now.
 */
export const news = [
  'requested',
  'booked',
  'confirmed',
  'declined',
  'expired',
  'rescheduled',
  'cancelled',
  'assigned',
  'released',
  'seats_changed',
] as const;

export type News = (typeof news)[number];

const Span = z.strictObject({ start: timestamp(), end: timestamp() });

/** What calendars are told by a mail: nobody's name or address, which stand in the booking alone. */
const CalendarTold = z.strictObject({
  method: z.enum(['REQUEST', 'CANCEL']),
  sequence: z.int(),
  ...Span.shape,
  /** The hosts who attend. */
  user_ids: z.array(z.string()),
});

/**
 * What one mail says about a change, as it was then: the booking may have changed again before the mail leaves. IDs and
 * times alone, so that a guest is forgotten where their booking is.
 */
export const Told = z.strictObject({
  news: z.enum(news),
  ...Span.shape,
  /** The time before, where that has changed. */
  before: Span.nullable(),
  /** Whether somebody has yet to confirm that time. */
  is_pending: z.boolean(),
  user_ids: z.array(z.string()),
  /** Of a session: how many seats are taken, of how many. */
  seats: z.strictObject({ taken: z.int(), of: z.int() }).nullable(),
  calendar: CalendarTold.nullable(),
});

export type Told = z.output<typeof Told>;

/** Whom a mail is for: the guest who booked, another one by the place in `additional_guests`, or a host. */
export type Recipient = 'guest' | `additional_${number}` | `usr_${string}`;

/** What one recipient is told. */
export type Telling = { recipient: Recipient; told: Told };

/** A session with its seats as they are. */
export type SessionTold = {
  id: string;
  start: string;
  end: string;
  user_ids: string[];
  seats: number;
  taken: number;
  status: string;
  ics_sequence: number;
};

/** What the hosts of a session are told: one mail for all that changed about its seats. */
export function tellingsOfSession(session: SessionTold): Telling[] {
  const { start, end, user_ids, seats, taken, status, ics_sequence: sequence } = session;
  const isHeld = status === 'confirmed' && taken > 0;
  const held = sequence === 0 ? 'booked' : 'seats_changed';
  const told: Told = {
    news: isHeld ? held : 'cancelled',
    start,
    end,
    before: null,
    is_pending: false,
    user_ids,
    seats: { taken, of: seats },
    calendar: { method: isHeld ? 'REQUEST' : 'CANCEL', sequence, start, end, user_ids },
  };
  return user_ids.map((user_id) => ({ recipient: user_id as Recipient, told }));
}

const NEWS: Readonly<Partial<Record<BookingChange['action'], News>>> = {
  confirmed: 'confirmed',
  declined: 'declined',
  expired: 'expired',
  rescheduled: 'rescheduled',
  cancelled: 'cancelled',
};

/** The news of a change; null for one that nobody is told of. */
function newsOf({ action, after }: BookingChange): News | null {
  if (action === 'created') return after.status === 'pending' ? 'requested' : 'booked';
  return NEWS[action] ?? null;
}

/** What the guests of a booking are told about a change of it. */
export function tellingsOfGuests(change: BookingChange): Telling[] {
  const said = newsOf(change);
  if (said === null) return [];
  const { before, after } = change;
  const told = { ...toldOf(said, before, after), calendar: calendarOf(before, after, after.user_ids) };
  const others = after.additional_guests.map((_, place): Recipient => `additional_${place}`);
  return ['guest' as const, ...others].map((recipient) => ({ recipient, told }));
}

/**
 * What hosts are told: who stays the same as the guests; who is replaced that the time is theirs again, and who comes that
 * it is not. Of seats they hear by their session; who hosted the booking before it had one gives its time back.
 */
export function tellingsOfHosts(change: BookingChange): Telling[] {
  const said = newsOf(change);
  if (said === null) return [];
  const { before, after } = change;
  const hosted = before?.user_ids ?? after.user_ids;
  const telling = (user_id: string, one: News, calendar: Told['calendar']): Telling => ({
    recipient: user_id as Recipient,
    told: { ...toldOf(one, before, after), calendar },
  });
  if (after.session_id !== null) {
    if (before === null || before.session_id !== null) return [];
    return hosted.map((user_id) => telling(user_id, 'released', takenBack(before, after, hosted)));
  }
  const released = hosted.filter((user_id) => !after.user_ids.includes(user_id));
  return [
    ...after.user_ids.map((user_id) =>
      hosted.includes(user_id)
        ? telling(user_id, said, calendarOf(before, after, after.user_ids))
        : telling(user_id, 'assigned', calendarOf(null, after, after.user_ids)),
    ),
    ...released.map((user_id) => telling(user_id, 'released', takenBack(before, after, [user_id]))),
  ];
}

function toldOf(said: News, before: BookingRecord | null, { start, end, status, user_ids }: BookingRecord) {
  const moved = before !== null && (before.start !== start || before.end !== end);
  return {
    news: said,
    start,
    end,
    before: moved ? { start: before.start, end: before.end } : null,
    is_pending: status === 'pending',
    user_ids,
    seats: null,
  };
}

/** A cancellation is about the time before, an invitation about the one that is now. */
function calendarOf(
  before: BookingRecord | null,
  after: BookingRecord,
  user_ids: string[],
): Told['calendar'] {
  const method = hearingOf(before, after);
  if (method === 'CANCEL') return takenBack(before, after, before!.user_ids);
  const { start, end, ics_sequence: sequence } = after;
  return method && { method, sequence, start, end, user_ids };
}

function takenBack(
  before: BookingRecord | null,
  { ics_sequence: sequence }: BookingRecord,
  user_ids: string[],
): Told['calendar'] {
  if (before?.status !== 'confirmed') return null;
  const { start, end } = before;
  return { method: 'CANCEL', sequence, start, end, user_ids };
}
