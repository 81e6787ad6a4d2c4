import type { Reader } from '../../kernel/reader.ts';
import { peopleByIds } from '../../platform/access/members/queries.ts';
import type { Booking, BookingRecord, GuestBooking } from './record.ts';
import { statusAt } from './status.ts';
import { actionsFor, type Cutoffs, guestActionsFor } from './transitions.ts';

type Named = (user_id: string) => { name: string };

/** Bookings as the API shows them to staff, in the order of the rows. */
export async function shownBookings(reader: Reader, rows: readonly BookingRecord[]): Promise<Booking[]> {
  if (rows.length === 0) return [];
  const named = await namesOf(reader, rows);
  return rows.map((row) => shownBooking(reader, row, named));
}

/** One of them. */
export async function shown(reader: Reader, row: BookingRecord): Promise<Booking> {
  return (await shownBookings(reader, [row]))[0]!;
}

/** A booking as its guest sees it. */
export async function shownToGuest(
  reader: Reader,
  row: BookingRecord,
  cutoffs: Cutoffs,
): Promise<GuestBooking> {
  const named = await namesOf(reader, [row]);
  return {
    ...common(row, reader.now),
    hosts: row.user_ids.map((user_id) => ({ name: named(user_id).name })),
    available_actions: guestActionsFor(row, reader.now, cutoffs),
  };
}

/** The names of the hosts of bookings. */
export function namesOf(
  reader: Pick<Reader, 'connection'>,
  rows: readonly Pick<BookingRecord, 'user_ids'>[],
): Promise<Named> {
  return peopleByIds(reader, [...new Set(rows.flatMap(({ user_ids }) => user_ids))]);
}

/** A booking for staff, the names of its hosts at hand. */
export function shownBooking({ now, actor }: Reader, row: BookingRecord, named: Named): Booking {
  return {
    ...common(row, now),
    hosts: row.user_ids.map((user_id) => ({ user_id, name: named(user_id).name })),
    assignment_reason: row.assignment_reason,
    source: row.source,
    proposal_id: row.proposal_id,
    session_id: row.session_id,
    ics_sequence: row.ics_sequence,
    history: row.history,
    calendar_sync: row.calendar_sync,
    available_actions: actionsFor(row, now, actor),
    external_id: row.external_id,
    metadata: row.metadata,
    created_by: row.created_by,
  };
}

function common(row: BookingRecord, now: Date) {
  return {
    id: row.id,
    object: 'scheduler.booking' as const,
    event_type_id: row.event_type_id,
    title: row.title,
    status: statusAt(row, now),
    start: row.start,
    end: row.end,
    duration_minutes: (Date.parse(row.end) - Date.parse(row.start)) / 60_000,
    guest: row.guest,
    additional_guests: row.additional_guests,
    answers: row.answers,
    location: row.location,
    revision: row.revision,
    cancelled_at: row.cancelled_at,
    cancelled_by: row.cancelled_by,
    cancel_reason: row.cancel_reason,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
