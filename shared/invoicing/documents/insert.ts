import type { Work } from '../../kernel/work.ts';
import type { DocumentContext } from './context.ts';
import { DocumentModel, type DocumentRecord, documentFacts, LINES } from './record.ts';
import { columnsOf, lineRowsOf, searchedBy } from './rows.ts';
import { documentOf } from './shown.ts';

/** Adds many new documents with their lines, made of no other ones, and says so. */
export function insertDocuments(
  work: Work,
  records: readonly DocumentRecord[],
  context: DocumentContext,
): void {
  work.insertAll(
    DocumentModel,
    records.map((record) => ({ ...columnsOf(record), ...searchedBy(record) })),
  );
  work.insertAll(LINES, records.flatMap(lineRowsOf));
  for (const record of records) {
    const shown = documentOf(record, { ...context, grants: null });
    work.record(documentFacts[record.kind].created, { before: null, after: shown });
  }
}
