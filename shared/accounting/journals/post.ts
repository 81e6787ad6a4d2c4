import type { Work } from '../../kernel/work.ts';
import type { Context } from './context.ts';
import { addToRollups } from './rollups.ts';
import type { Entry, JournalRow } from './rows.ts';

/**
 * Entries as they are once they are posted, in their order: numbered 1, 2, 3 ... in their years, in the rollups, frozen. The
 * rows of the entries are still to be written. Locks, in this order: the entries and the books of their years, by the
 * caller; the rollups by their keys; the counters of the years last, for as short as can be.
 */
export async function posted(work: Work, entries: readonly Entry[], { today }: Context): Promise<Entry[]> {
  if (entries.length === 0) return [];
  addToRollups(
    work,
    entries.map(({ row: { date, kind_group }, lines }) => ({ date, kind_group, lines })),
  );
  await work.flush();
  const last = await takeNumbers(work, entries);
  const posting = { posted_by: work.actor.user_id, posted_at: work.now.toISOString(), posted_on: today };
  return entries.map(({ row, ...rest }) => {
    const number = last.get(row.fiscal_year_id)! + 1;
    last.set(row.fiscal_year_id, number);
    return { row: { ...row, status: 'posted', number, ...posting } satisfies JournalRow, ...rest };
  });
}

/** By year, the number before the first one that its entries get. */
async function takeNumbers(work: Work, entries: readonly Entry[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { row } of entries) counts.set(row.fiscal_year_id, (counts.get(row.fiscal_year_id) ?? 0) + 1);
  const rows = await work.connection.query<{ id: string; last_number: number }>(
    `WITH taken AS (
       SELECT year.id, given.count FROM accounting_fiscal_years AS year
         JOIN unnest($2::text[], $3::integer[]) AS given (id, count) ON given.id = year.id
        WHERE year.organization_id = $1 ORDER BY year.start_date FOR NO KEY UPDATE OF year)
     UPDATE accounting_fiscal_years AS year SET last_number = last_number + taken.count FROM taken
      WHERE year.organization_id = $1 AND year.id = taken.id RETURNING year.id, last_number - taken.count AS last_number`,
    [work.organization_id, [...counts.keys()], [...counts.values()]],
  );
  return new Map(rows.map(({ id, last_number }) => [id, last_number]));
}
