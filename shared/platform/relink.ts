import { cursorBatches } from '../db/cursor.ts';
import type { Fact } from '../kernel/fact.ts';
import { FACTS_TOGETHER, type Work } from '../kernel/work.ts';
import type { FollowingRows } from './references.ts';

/**
 * How the rows of a table follow a record that a column of theirs names: locked in the order of their IDs, then given another
 * one or none by one statement, with a fact for each row. The rows have `id` and `updated_at`.
 */
export function relinkedRows(
  table: string,
  column: string,
  updated: Fact,
): Pick<FollowingRows, 'lock' | 'relink'> {
  const LOCK = `SELECT id FROM ${table}
    WHERE organization_id = $1 AND ${column} = $2 ORDER BY id FOR NO KEY UPDATE`;
  return {
    async lock({ connection, organization_id }, id) {
      const [row] = await connection.query<{ count: number }>(
        `WITH locked AS MATERIALIZED (${LOCK}) SELECT count(*) FROM locked`,
        [organization_id, id],
      );
      return row!.count;
    },
    async relink(work: Work, from, to) {
      const values = [work.organization_id, from];
      for await (const rows of cursorBatches<{ id: string }>(work.connection, LOCK, values, FACTS_TOGETHER)) {
        for (const { id } of rows) {
          work.record(updated, { before: { id, [column]: from }, after: { id, [column]: to } });
        }
        if (rows.length === FACTS_TOGETHER) await work.flushFacts();
      }
      work.run(
        `UPDATE ${table}
            SET ${column} = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
          WHERE organization_id = $1 AND ${column} = $2`,
        [work.organization_id, from, to, work.now],
      );
    },
  };
}
