import { refusesBy } from '../../db/constraint.ts';
import { cursorBatches } from '../../db/cursor.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { documentFacts } from './facts.ts';

refusesBy('sign_documents_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);

/**
 * How documents follow their company when it is merged. One that is removed leaves them without: who removes it need not
 * know of documents that they do not see, and `counterparty_name` stays.
 */
export const signReferences: readonly Reference[] = [
  {
    to: 'crm_companies',
    table: 'sign_documents',
    column: 'company_id',
    keeps_imported: true,
    follows: { removal: 'cleared', kind: `'sign_document'`, lock: lockDocumentsOf, relink: relinkDocuments },
  },
];

const LOCK = `SELECT id FROM sign_documents
  WHERE organization_id = $1 AND company_id = $2 ORDER BY id FOR NO KEY UPDATE`;

async function lockDocumentsOf(work: Work, company_id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `WITH locked AS MATERIALIZED (${LOCK}) SELECT count(*) FROM locked`,
    [work.organization_id, company_id],
  );
  return row!.count;
}

type Moved = { id: string; company_id: string | null };

/** Gives the documents of a company another one, or none; each is a change of that document. */
async function relinkDocuments(work: Work, company_id: string, to: string | null): Promise<void> {
  const values = [work.organization_id, company_id];
  for await (const rows of cursorBatches<{ id: string }>(work.connection, LOCK, values, FACTS_TOGETHER)) {
    for (const { id } of rows) {
      const before: Moved = { id, company_id };
      const after: Moved = { id, company_id: to };
      work.record(documentFacts.updated, { before, after });
    }
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  work.run(
    `UPDATE sign_documents
        SET company_id = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND company_id = $2`,
    [work.organization_id, company_id, to, work.now],
  );
}
