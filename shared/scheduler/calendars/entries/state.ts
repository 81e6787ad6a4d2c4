import type { Work } from '../../../kernel/work.ts';

/**
 * Says in the bookings of records (one, or all of a session) whether they stand in the calendars of their hosts, by the
 * entries as they are now.
 */
export function refreshSync(work: Work, record_ids: readonly string[]): void {
  if (record_ids.length === 0) return;
  work.run(
    `UPDATE scheduler_bookings AS booking SET calendar_sync = found.calendar_sync
       FROM (SELECT record.id, CASE WHEN bool_or(status = 'failed') THEN 'failed'
                                    WHEN bool_or(status = 'pending') THEN 'pending'
                                    WHEN bool_or(status = 'written') THEN 'written'
                                    ELSE 'none' END AS calendar_sync
               FROM unnest($2::text[]) AS record (id)
               LEFT JOIN scheduler_calendar_entries AS entry
                 ON entry.organization_id = $1 AND entry.record_id = record.id
              GROUP BY record.id) AS found
      WHERE booking.organization_id = $1
        AND (booking.id = found.id AND booking.session_id IS NULL OR booking.session_id = found.id)
        AND booking.calendar_sync <> found.calendar_sync`,
    [work.organization_id, [...new Set(record_ids)]],
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
