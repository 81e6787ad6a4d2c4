import type { Work } from '../../../kernel/work.ts';
import { lockBookings, refreshSync } from './state.ts';

/**
 * Forgets the entries of a connection: they stay in the calendar elsewhere, and are changed by nobody. The next change of
 * their bookings makes new ones where their host has a write target by then. Locks: the bookings, then the entries.
 */
export async function forgetEntries(work: Work, connection_id: string): Promise<void> {
  const { connection, organization_id, now } = work;
  const values = [organization_id, connection_id];
  const told = await connection.query<{ record_id: string }>(
    `SELECT DISTINCT record_id FROM scheduler_calendar_entries
      WHERE organization_id = $1 AND connection_id = $2 AND status <> 'removed' AND ("end" IS NULL OR "end" > $3)
      ORDER BY record_id`,
    [...values, now.toISOString()],
  );
  const record_ids = told.map(({ record_id }) => record_id);
  await lockBookings(work, record_ids);
  work.run(
    'DELETE FROM scheduler_calendar_entries WHERE organization_id = $1 AND connection_id = $2',
    values,
  );
  for (const record_id of record_ids) refreshSync(work, record_id);
}
