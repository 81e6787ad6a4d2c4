import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';

/** What an import did with a record, kept for repeats in later chunks and for the revert. */
export type KeptOutcome = {
  /** The record's ID, or what tells it where there is no record. */
  key: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'suppressed';
  /** Of each field that was overwritten the value before all of this import, and the import's last one. */
  before: Record<string, [unknown, unknown]> | null;
  /** `updated_at` of the record as the import left it; null where it wrote nothing. */
  changed_at: string | null;
  /** The row that named the record first, and a hash of that name; absent where no row did, or rows name none. */
  named_row?: number | null;
  name_key?: string | null;
};

/** What the import did so far with the records of these keys. */
export async function outcomesOf(
  reader: Reader,
  import_id: string,
  keys: readonly string[],
): Promise<Map<string, KeptOutcome>> {
  if (keys.length === 0) return new Map();
  const rows = await reader.connection.query<KeptOutcome>(
    `SELECT kept.* FROM unnest($3::text[]) AS asked (key)
       JOIN LATERAL (SELECT key, outcome, before, changed_at, named_row, name_key FROM import_outcomes
         WHERE organization_id = $1 AND import_id = $2 AND key = asked.key LIMIT 1) AS kept ON true`,
    [reader.organization_id, import_id, keys],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Keeps outcomes; of one that is known already the outcome stays, and what was overwritten is replaced. */
export function keepOutcomes(work: Work, import_id: string, kept: readonly KeptOutcome[]): void {
  if (kept.length === 0) return;
  work.run(
    `INSERT INTO import_outcomes
       (organization_id, import_id, key, outcome, before, changed_at, named_row, name_key)
     SELECT $1, $2, key, outcome, before, changed_at, named_row, name_key FROM jsonb_to_recordset($3::jsonb)
         AS row (key text, outcome text, before jsonb, changed_at timestamptz, named_row integer, name_key text)
     ON CONFLICT (organization_id, import_id, key)
       DO UPDATE SET before = excluded.before, changed_at = excluded.changed_at,
         named_row = excluded.named_row, name_key = excluded.name_key`,
    [work.organization_id, import_id, JSON.stringify(kept)],
    { table: 'import_outcomes' },
  );
}

/** Outcomes in the order of their keys, from after one key on: for a revert. */
export async function outcomesAfter(
  reader: Reader,
  import_id: string,
  after: string | null,
  limit: number,
): Promise<KeptOutcome[]> {
  return reader.connection.query<KeptOutcome>(
    `SELECT key, outcome, before, changed_at FROM import_outcomes
      WHERE organization_id = $1 AND import_id = $2 AND key > $3 ORDER BY key LIMIT $4`,
    [reader.organization_id, import_id, after ?? '', limit],
  );
}

/** What was overwritten in all: the values from before the first change, and those after the last one. */
export function overwritten(
  earlier: KeptOutcome['before'],
  later: Record<string, [unknown, unknown]>,
): Record<string, [unknown, unknown]> {
  const all = { ...earlier };
  for (const [field, [before, after]] of Object.entries(later)) {
    all[field] = [field in all ? all[field]![0] : before, after];
  }
  return all;
}

/** Forgets what an import met: of a dry run at its end. */
export function forgetOutcomes(work: Work, import_id: string): void {
  work.run('DELETE FROM import_outcomes WHERE organization_id = $1 AND import_id = $2', [
    work.organization_id,
    import_id,
  ]);
}

/**
 * Forgets the values that imports overwrote of a record that is erased, and rows that hold what it was told by
 * where it was no record yet. That it was met stays, so that counts add up.
 */
export function forgetRecord(work: Work, record_id: string, told_by: string): void {
  work.run(
    'UPDATE import_outcomes SET before = NULL WHERE organization_id = $1 AND key = $2 AND before IS NOT NULL',
    [work.organization_id, record_id],
  );
  work.run('DELETE FROM import_outcomes WHERE organization_id = $1 AND key = $2', [
    work.organization_id,
    told_by,
  ]);
}
