import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { tagsOf } from '../tags/queries.ts';
import { type CompanyRow, companyColumns, companyOf } from './queries.ts';
import { companyFacts } from './record.ts';

/**
 * Gives the companies below one another parent, or none, as when it is merged or deleted; each is a change of that
 * company. `except` keeps its parent.
 */
export async function relinkBranches(
  work: Work,
  parent_id: string,
  to: string | null,
  except: string | null = null,
): Promise<void> {
  const batches = cursorBatches<CompanyRow>(
    work.connection,
    `SELECT ${companyColumns.join(', ')} FROM crm_companies
      WHERE organization_id = $1 AND parent_id = $2 AND id IS DISTINCT FROM $3 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, parent_id, except],
    FACTS_TOGETHER,
  );
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    await recordRelinked(work, rows, to);
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  if (count === 0) return;
  work.run(
    `UPDATE crm_companies SET parent_id = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND parent_id = $2 AND id IS DISTINCT FROM $5`,
    [work.organization_id, parent_id, to, work.now, except],
  );
}

async function recordRelinked(work: Work, rows: readonly CompanyRow[], parent_id: string | null) {
  const ids = rows.map(({ id }) => id);
  const tags = await tagsOf(work, 'company', ids);
  for (const row of rows) {
    const before = companyOf(row, tags(row.id));
    const after = { ...before, parent_id, updated_at: work.touch(before) };
    work.record(companyFacts.updated, { before, after });
  }
}
