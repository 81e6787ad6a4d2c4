import type { Reader } from '../kernel/reader.ts';
import { type Database, EVERY_ORGANIZATION } from './database.ts';

/** Rows of an organization that are counted as they are added and removed: those of a table, or of a kind in it. */
export type Counted = { table: string; kind?: string | null };

const TOTAL = `SELECT coalesce(sum(rows), 0)::integer AS total FROM row_counts
  WHERE organization_id = $1 AND counted = $2`;
const TOTAL_OF_KIND = `${TOTAL} AND kind = $3`;

/** How many rows there are, by the ledger: the number that a count in the same statement would find. */
export async function rowCount(reader: Reader, { table, kind = null }: Counted): Promise<number> {
  const { connection, organization_id } = reader;
  const [found] =
    kind === null
      ? await connection.query<{ total: number }>(TOTAL, [organization_id, table])
      : await connection.query<{ total: number }>(TOTAL_OF_KIND, [organization_id, table, kind]);
  return found!.total;
}

/** The line of the sum of those that were folded. */
const SUM = '00000000-0000-0000-0000-000000000000';

/** Lines that one statement folds. */
const BATCH = 5_000;

/** One process folds at a time: two would wait for each other's sums in different orders. */
const FOLD = `
  WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(hashtext('row_counts')) AS is_ours), gone AS (
    DELETE FROM row_counts WHERE (SELECT is_ours FROM turn) AND line <> '${SUM}'
      AND (organization_id, counted, kind, line) IN (
        SELECT organization_id, counted, kind, line FROM row_counts WHERE line <> '${SUM}' ORDER BY line LIMIT ${BATCH})
    RETURNING organization_id, counted, kind, rows
  ), folded AS (
    INSERT INTO row_counts AS known (organization_id, counted, kind, line, rows)
      SELECT organization_id, counted, kind, '${SUM}', sum(rows) FROM gone GROUP BY organization_id, counted, kind
      ON CONFLICT (organization_id, counted, kind, line) DO UPDATE SET rows = known.rows + excluded.rows
  )
  SELECT count(*)::integer AS lines FROM gone`;

/** Adds the lines of the ledger to its sums, so that a total is read from a few rows. Answers how many it folded. */
export async function foldRowCounts(database: Database, _now: Date, signal: AbortSignal): Promise<number> {
  let folded = 0;
  for (;;) {
    const [{ lines }] = (await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      connection.query<{ lines: number }>(FOLD),
    )) as [{ lines: number }];
    folded += lines;
    if (lines < BATCH || signal.aborted) return folded;
  }
}
