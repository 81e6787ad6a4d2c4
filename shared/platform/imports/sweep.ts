import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import type { Connection } from '../../kernel/connection.ts';
import { KEPT } from './record.ts';

const IMPORTS = 20;
/** Rows removed by one statement: many would hold locks and write-ahead log for long. */
const BATCH = 5_000;

type Old = { organization_id: string; id: string; storage_key: string | null };

/**
 * Forgets what imports overwrote once they can no longer be undone, and their faulty rows, which hold people's data;
 * gives up the files that were kept for another try. Answers how many imports that were.
 */
export async function sweepOldImports(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - KEPT).toISOString();
  const on = <T>(run: (connection: Connection) => Promise<T>) =>
    database.withConnection(EVERY_ORGANIZATION, run);
  for (let count = 0; ; ) {
    const old = await on(({ query }) =>
      query<Old>(
        `SELECT organization_id, id, storage_key FROM imports
          WHERE finished_at < $1 AND NOT is_swept AND status <> 'reverting' LIMIT ${IMPORTS}`,
        [before],
      ),
    );
    for (const one of old) {
      if (signal.aborted) return count;
      await on((connection) => sweep(connection, one, now));
      count += 1;
    }
    if (old.length < IMPORTS) return count;
  }
}

async function sweep(
  { query }: Connection,
  { organization_id, id, storage_key }: Old,
  now: Date,
): Promise<void> {
  // What other imports have met stands between, so each batch begins behind the one before.
  for (let after: string | null = ''; after !== null; ) {
    const rows: Removed[] = await query<Removed>(FORGET, [organization_id, id, after]);
    const { count, last } = rows[0]!;
    after = count === BATCH ? last : null;
  }
  for (const table of ['import_errors', 'import_rows']) {
    for (let removed = BATCH; removed === BATCH; ) {
      const rows = await query(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table}
          WHERE organization_id = $1 AND import_id = $2 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
        [organization_id, id],
      );
      removed = rows.length;
    }
  }
  await query(
    `WITH released AS (
       INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
       SELECT $1, $3, $4, $4 WHERE $3::text IS NOT NULL ON CONFLICT DO NOTHING
     )
     UPDATE imports SET is_swept = true, storage_key = NULL WHERE organization_id = $1 AND id = $2`,
    [organization_id, id, storage_key, now.toISOString()],
  );
}

type Removed = { count: number; last: string | null };

const FORGET = `
  WITH gone AS (
    DELETE FROM import_outcomes WHERE organization_id = $1 AND import_id = $2 AND key = ANY(ARRAY(
      SELECT key FROM import_outcomes WHERE organization_id = $1 AND import_id = $2 AND key > $3
       ORDER BY key LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
    RETURNING key)
  SELECT count(*)::int AS count, max(key) AS last FROM gone`;
