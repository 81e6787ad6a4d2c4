import type { Work } from '../../../kernel/work.ts';
import { refreshSync } from './state.ts';

/** Entries of one connection that are told one by one, when it ends, to be no more. */
const MOST_TOLD = 1_000;

/**
 * Forgets the entries of a connection: they stay in the calendar elsewhere, and are changed by nobody. The next change of
 * their bookings makes new ones where their host has a write target by then.
 */
export async function forgetEntries(work: Work, connection_id: string): Promise<void> {
  const rows = await work.connection.query<{ record_id: string }>(
    `WITH forgotten AS (
       DELETE FROM scheduler_calendar_entries WHERE organization_id = $1 AND connection_id = $2
       RETURNING record_id, status, "end")
     SELECT DISTINCT record_id FROM forgotten WHERE status IN ('pending', 'failed', 'written') AND ("end" IS NULL OR "end" > $3)
      ORDER BY record_id LIMIT ${MOST_TOLD}`,
    [work.organization_id, connection_id, work.now.toISOString()],
  );
  for (const { record_id } of rows) refreshSync(work, record_id);
}
