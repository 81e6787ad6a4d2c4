import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { type ActivityRow, activityColumns, activityOf } from './queries.ts';
import { activityFacts } from './record.ts';

export type ActivityLink = 'company_id' | 'contact_id' | 'deal_id';

/** How many activities refer to a record. */
export async function countActivities(work: Work, link: ActivityLink, id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `SELECT count(*) FROM crm_activities WHERE organization_id = $1 AND ${link} = $2`,
    [work.organization_id, id],
  );
  return row!.count;
}

/**
 * Gives the activities of a record another one, or none, as when it is merged or deleted; each is a change of that
 * activity.
 */
export async function relinkActivities(
  work: Work,
  link: ActivityLink,
  id: string,
  to: string | null,
): Promise<void> {
  const batches = cursorBatches<ActivityRow>(
    work.connection,
    `SELECT ${activityColumns.join(', ')} FROM crm_activities
      WHERE organization_id = $1 AND ${link} = $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, id],
    FACTS_TOGETHER,
  );
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    for (const row of rows) {
      const before = activityOf(row);
      const after = { ...before, [link]: to, updated_at: work.touch(before) };
      work.record(activityFacts.updated, { before, after });
    }
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  if (count === 0) return;
  work.run(
    `UPDATE crm_activities
        SET ${link} = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND ${link} = $2`,
    [work.organization_id, id, to, work.now],
  );
}
