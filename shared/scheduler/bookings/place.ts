import type { Work } from '../../kernel/work.ts';
import type { EventType } from '../event-types/record.ts';
import { occupy } from '../occupancies/occupy.ts';
import type { BookingRecord } from './record.ts';
import { joinSession, openSession } from './sessions.ts';
import type { Taken } from './start.ts';

type Booked = Pick<
  BookingRecord,
  'id' | 'start' | 'end' | 'is_counted' | 'pending_expires_at' | 'assigned_at'
>;

/**
 * Takes the time of a booking at the start that was taken for it: a seat of a session where guests share the start, else the
 * time of its hosts, unless it waits for confirmation and blocks nothing. Answers the hosts and the session.
 */
export async function placeBooking(
  work: Work,
  event_type: EventType,
  booking: Booked,
  taken: Taken,
): Promise<{ user_ids: string[]; session_id: string | null }> {
  const {
    id: event_type_id,
    seats_per_slot: seats,
    buffer_before_minutes,
    buffer_after_minutes,
  } = event_type;
  const { start, end } = booking;
  const buffers = { buffer_before_minutes, buffer_after_minutes };
  if (taken.in_session) {
    const { id, user_ids } = await joinSession(work, { event_type_id, start, end });
    return { user_ids, session_id: id };
  }
  const { user_ids } = taken;
  if (seats > 1) {
    const session = openSession(work, { event_type_id, start, end, user_ids, seats }, buffers);
    return { user_ids, session_id: session.id };
  }
  if (booking.is_counted) occupyFor(work, event_type, booking, user_ids);
  return { user_ids, session_id: null };
}

/** Takes the time of hosts for a booking, with the buffers that its type has now; without a type it has none. */
export function occupyFor(
  work: Work,
  event_type: EventType | null,
  { id: record_id, start, end, pending_expires_at: expires_at, assigned_at }: Booked,
  user_ids: readonly string[],
): void {
  occupy(
    work,
    user_ids.map((user_id) => ({
      kind: 'booking',
      record_id,
      position: 0,
      user_id,
      event_type_id: event_type?.id ?? null,
      start,
      end,
      buffer_before_minutes: event_type?.buffer_before_minutes ?? 0,
      buffer_after_minutes: event_type?.buffer_after_minutes ?? 0,
      assigned_at,
      expires_at,
    })),
  );
}
