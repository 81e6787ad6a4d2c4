import type { Reader } from '../../kernel/reader.ts';
import { eventTypeOfBooking } from '../event-types/queries.ts';
import type { EventType } from '../event-types/record.ts';
import { type AskedSlots, readSlots } from '../offers/offered.ts';
import type { Slots } from '../offers/record.ts';
import type { BookingRecord } from './record.ts';
import { bookingRow } from './rows.ts';
import { NO_TYPE, requireGuestAction } from './transitions.ts';

const MINUTE = 60_000;

/** How long a booking is, in minutes: a move keeps it, whatever its event type offers by now. */
export function minutesOf({ start, end }: Pick<BookingRecord, 'start' | 'end'>): number {
  return (Date.parse(end) - Date.parse(start)) / MINUTE;
}

/** What does not count when a booking is moved: itself, and its session where it is alone in that. */
export async function recordsOfMove(
  { connection, organization_id }: Reader,
  { id, session_id }: Pick<BookingRecord, 'id' | 'session_id'>,
): Promise<string[]> {
  if (session_id === null) return [id];
  const [session] = await connection.query<{ taken: number }>(
    'SELECT taken FROM scheduler_sessions WHERE organization_id = $1 AND id = $2',
    [organization_id, session_id],
  );
  return session?.taken === 1 ? [id, session_id] : [id];
}

/**
 * Reads what the starts follow from that a booking can be moved to, in a range; answers what computes them. Errors:
 * `validation_failed` at the parameter: `duration_minutes` can be the booking's alone.
 */
export async function readSlotsOfMove(
  reader: Reader,
  booking: BookingRecord,
  event_type: EventType,
  asked: Omit<AskedSlots, 'without'>,
): Promise<() => Promise<Slots>> {
  const without = await recordsOfMove(reader, booking);
  const kept = { ...event_type, duration_minutes: minutesOf(booking), duration_options: [] };
  return readSlots(reader, kept, { ...asked, without });
}

/** The same for the guest. Errors: `not_found`, `invalid_transition`, `not_reschedulable`, `cutoff_passed` besides. */
export async function readSlotsForGuest(
  reader: Reader,
  id: string,
  asked: Omit<AskedSlots, 'without'>,
): Promise<() => Promise<Slots>> {
  const booking = await bookingRow(reader, id);
  const event_type =
    booking.event_type_id === null ? null : await eventTypeOfBooking(reader, booking.event_type_id);
  requireGuestAction(booking, 'reschedule', reader.now, event_type ?? NO_TYPE);
  return readSlotsOfMove(reader, booking, event_type!, asked);
}
