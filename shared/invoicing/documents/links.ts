import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { contextOf } from './context.ts';
import { documentKinds } from './kinds.ts';
import { type DocumentRecord, documentFacts } from './record.ts';
import { relatedOf } from './related.ts';
import { type DocumentRow, documentColumns, linesOf, recordOf } from './rows.ts';
import { documentOf } from './shown.ts';

/** How a document refers to a company or contact. */
type DocumentReference = 'company_id' | 'contact_id';

/** How documents follow the company and the contact that they are made out to. */
export const documentReferences: readonly Reference[] = [
  documentReference('crm_companies', 'company_id', 'refused'),
  documentReference('crm_contacts', 'contact_id', 'cleared'),
];

function documentReference(to: string, column: DocumentReference, removal: 'refused' | 'cleared'): Reference {
  return {
    to,
    table: 'invoicing_documents',
    column,
    keeps_imported: true,
    follows: {
      removal,
      kind: 'kind',
      parts: { table: 'invoicing_lines', column: 'document_id' },
      lock: (work, id) => lockDocumentsOf(work, column, id),
      relink: (work, id, next_id) => relinkDocuments(work, column, id, next_id),
    },
  };
}

/**
 * Locks the documents of a company or contact before those themselves are locked, as every write of a document does.
 * Answers how many there are.
 */
async function lockDocumentsOf(work: Work, reference: DocumentReference, id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `WITH locked AS MATERIALIZED (
       SELECT id FROM invoicing_documents
        WHERE organization_id = $1 AND ${reference} = $2 ORDER BY id FOR NO KEY UPDATE)
     SELECT count(*) FROM locked`,
    [work.organization_id, id],
  );
  return row!.count;
}

/**
 * Gives the documents of a company or contact another one, or none, as when it is merged or deleted; each is a change
 * of that document. What was frozen on issue stays as it was printed.
 */
async function relinkDocuments(
  work: Work,
  reference: DocumentReference,
  id: string,
  to: string | null,
): Promise<void> {
  const batches = cursorBatches<DocumentRow>(
    work.connection,
    `SELECT ${documentColumns.join(', ')} FROM invoicing_documents
      WHERE organization_id = $1 AND ${reference} = $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, id],
    FACTS_TOGETHER,
  );
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    await recordRelinked(work, rows, { [reference]: to });
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  if (count === 0) return;
  work.run(
    `UPDATE invoicing_documents
        SET ${reference} = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND ${reference} = $2`,
    [work.organization_id, id, to, work.now],
  );
}

async function recordRelinked(
  work: Work,
  rows: readonly DocumentRow[],
  change: { company_id?: string | null; contact_id?: string | null },
): Promise<void> {
  const context = { ...(await contextOf(work)), grants: null };
  for (const record of await recordsOf(work, rows)) {
    const before = documentOf(record, context);
    const after = { ...before, ...change, updated_at: work.touch(before) };
    work.record(documentFacts[record.kind].updated, { before, after });
  }
}

/** Rows of several kinds with what belongs to them. */
async function recordsOf(work: Work, rows: readonly DocumentRow[]): Promise<DocumentRecord[]> {
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  const lines = linesOf(
    work,
    rows.map(({ id }) => id),
  );
  const groups = documentKinds.map(async (kind) => {
    const own = byKind.get(kind) ?? [];
    const related = await relatedOf(
      work,
      kind,
      own.map(({ id }) => id),
    );
    const linesById = await lines;
    return own.map((row) => recordOf(row, linesById(row.id), related(row.id)));
  });
  return (await Promise.all(groups)).flat();
}
