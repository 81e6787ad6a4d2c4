import type { Fact } from '../../kernel/fact.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Row, Work } from '../../kernel/work.ts';
import { contextOf } from './context.ts';
import { DocumentModel, type DocumentRecord, documentFacts, LINES } from './record.ts';
import { columnsOf, lineRowsOf, searchedBy } from './rows.ts';
import { documentOf } from './shown.ts';

/** Removes the lines of a document, which no foreign key does. */
export const DELETE_LINES = 'DELETE FROM invoicing_lines WHERE organization_id = $1 AND document_id = $2';

/**
 * Writes what a change made of a locked document and says so: the columns that changed, the lines only when one of
 * them did. A change that changes nothing leaves no trace, unless the fact is always told. Answers the document as it
 * is now.
 */
export async function writeDocument(
  work: Work,
  before: DocumentRecord,
  changed: DocumentRecord,
  fact: Fact = documentFacts[before.kind].updated,
): Promise<DocumentRecord> {
  const context = { ...(await contextOf(work)), grants: null };
  const shown = { before: documentOf(before, context), after: documentOf(changed, context) };
  if (!fact.always && work.isSame(fact, shown.before, shown.after)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  work.update(DocumentModel, before.id, changedColumns(before, after));
  if (!isSameJson(before.lines, after.lines)) {
    work.run(DELETE_LINES, [work.organization_id, before.id]);
    work.insertAll(LINES, lineRowsOf(after));
  }
  work.record(fact, { before: shown.before, after: documentOf(after, context) });
  return after;
}

function changedColumns(before: DocumentRecord, after: DocumentRecord): Row {
  const old = columnsOf(before);
  const fresh = columnsOf(after);
  const changes = Object.fromEntries(
    Object.entries(fresh).filter(([column, value]) => !isSameJson(old[column], value)),
  );
  const isSearchedAnew = 'number' in changes || 'subject' in changes;
  const isKeyedAnew = 'number' in changes || 'external_id' in changes;
  return {
    ...changes,
    ...(isSearchedAnew && searchedBy(after)),
    // A refusal names who has the key already, and keys are told apart by kind.
    ...(isKeyedAnew && { kind: after.kind }),
  };
}
