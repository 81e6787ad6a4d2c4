import type { Work } from '../../kernel/work.ts';
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
  const rows = await work.connection.query(
    `SELECT id FROM invoicing_documents
      WHERE organization_id = $1 AND ${reference} = $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, id],
  );
  return rows.length;
}

/** Documents whose changes are recorded at once: each may have a thousand lines, and other requests want memory and time too. */
const BATCH = 200;

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
  const next = (after: string) =>
    work.connection.query<DocumentRow>(
      `SELECT ${documentColumns.join(', ')} FROM invoicing_documents
        WHERE organization_id = $1 AND ${reference} = $2 AND id > $3
        ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`,
      [work.organization_id, id, after],
    );
  let rows = await next('');
  if (rows.length === 0) return;
  while (rows.length > 0) {
    await recordRelinked(work, rows, { [reference]: to });
    await work.flushFacts();
    rows = await next(rows.at(-1)!.id);
  }
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
