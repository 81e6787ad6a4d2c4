import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { tagsOf } from '../tags/queries.ts';
import { type ContactRow, contactColumns, contactOf } from './queries.ts';
import { contactFacts } from './record.ts';

/**
 * Gives the contacts of a company another one, or none, as when it is merged or deleted; each is a change of that
 * contact. Answers how many there were.
 */
export async function relinkContacts(work: Work, company_id: string, to: string | null): Promise<number> {
  const batches = cursorBatches<ContactRow>(
    work.connection,
    `SELECT ${contactColumns.join(', ')} FROM crm_contacts
      WHERE organization_id = $1 AND company_id = $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, company_id],
    FACTS_TOGETHER,
  );
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    await recordRelinked(work, rows, to);
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  if (count === 0) return 0;
  work.run(
    `UPDATE crm_contacts SET company_id = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND company_id = $2`,
    [work.organization_id, company_id, to, work.now],
  );
  return count;
}

async function recordRelinked(work: Work, rows: readonly ContactRow[], company_id: string | null) {
  const ids = rows.map(({ id }) => id);
  const tags = await tagsOf(work, 'contact', ids);
  for (const row of rows) {
    const before = contactOf(row, tags(row.id));
    const after = { ...before, company_id, updated_at: work.touch(before) };
    work.record(contactFacts.updated, { before, after });
  }
}

/** How many contacts a company has. */
export async function countContacts(work: Work, company_id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    'SELECT count(*) FROM crm_contacts WHERE organization_id = $1 AND company_id = $2',
    [work.organization_id, company_id],
  );
  return row!.count;
}
