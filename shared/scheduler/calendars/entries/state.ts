import type { Work } from '../../../kernel/work.ts';

/**
 * Says in the bookings of a record (one, or all of a session) whether they stand in the calendars of their hosts, by the
 * entries as they are now.
 */
export function refreshSync(work: Work, record_id: string): void {
  work.run(
    `UPDATE scheduler_bookings AS booking SET calendar_sync = found.calendar_sync
       FROM (SELECT CASE WHEN bool_or(status = 'failed') THEN 'failed'
                         WHEN bool_or(status = 'pending') THEN 'pending'
                         WHEN bool_or(status = 'written') THEN 'written'
                         ELSE 'none' END AS calendar_sync
               FROM scheduler_calendar_entries WHERE organization_id = $1 AND record_id = $2) AS found
      WHERE booking.organization_id = $1 AND (booking.id = $2 OR booking.session_id = $2)
        AND booking.calendar_sync <> found.calendar_sync`,
    [work.organization_id, record_id],
  );
}

/** Locks the bookings of records before their entries: who changes a booking locks in this order too. */
export async function lockBookings(work: Work, record_ids: readonly string[]): Promise<void> {
  await work.connection.query(
    `SELECT FROM scheduler_bookings WHERE organization_id = $1 AND (id = ANY ($2) OR session_id = ANY ($2))
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, record_ids],
  );
}
