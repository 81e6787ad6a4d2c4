import type { Work } from '../../../kernel/work.ts';
import { lockBookings } from './state.ts';
import { wantEntriesOfHost } from './want.ts';

/** A place in the bookings of a host, by their starts. */
export type UpcomingPlace = { start: string; booking_id: string };

/** Bookings of one step. */
const STEP = 100;

/**
 * Asks for entries of confirmed bookings to come that their host has none of, such as those that were made while no calendar
 * was connected. Pending ones are locked too: one that is being confirmed may not have seen the calendar. Answers where the next step goes on; null at the end. Locks: the bookings, then the entries.
 */
export async function wantUpcoming(
  work: Work,
  user_id: string,
  after: UpcomingPlace | null,
): Promise<UpcomingPlace | null> {
  const { connection, organization_id, now } = work;
  const hosted = await connection.query<UpcomingPlace & { record_id: string; is_missing: boolean }>(
    `SELECT host."start", host.booking_id, coalesce(booking.session_id, booking.id) AS record_id,
            booking.status IN ('confirmed', 'pending') AND NOT EXISTS (
              SELECT FROM scheduler_calendar_entries AS entry
               WHERE entry.organization_id = $1 AND entry.user_id = $2
                 AND entry.record_id = coalesce(booking.session_id, booking.id)) AS is_missing
       FROM scheduler_booking_hosts AS host
       JOIN scheduler_bookings AS booking ON booking.organization_id = $1 AND booking.id = host.booking_id
      WHERE host.organization_id = $1 AND host.user_id = $2 AND (host."start", host.booking_id) > ($3, $4)
      ORDER BY host."start", host.booking_id LIMIT ${STEP}`,
    [organization_id, user_id, after?.start ?? now.toISOString(), after?.booking_id ?? ''],
  );
  const record_ids = hosted.filter(({ is_missing }) => is_missing).map(({ record_id }) => record_id);
  if (record_ids.length > 0) {
    await lockBookings(work, record_ids);
    await wantEntriesOfHost(work, user_id, [...new Set(record_ids)]);
  }
  return hosted.length < STEP ? null : hosted.at(-1)!;
}
