import { changesBetween } from '../../kernel/fact.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Row } from '../../kernel/statement.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { needsAttention } from './attention.ts';
import { documentFacts, toldOf, toldSigner } from './facts.ts';
import {
  type DocumentRow,
  documentColumns,
  type FieldRow,
  fieldColumns,
  SignDocumentModel,
  SignerModel,
  type SignerRow,
  SignFieldModel,
  type StoredDocument,
  signerColumns,
} from './rows.ts';
import { signerOf } from './shown.ts';

/**
 * What happened to a document. `viewed` is told by the event of its signer alone; `sent`, `signed` and `cancelled` are
 * events of the document; all but `viewed` stand in the change history.
 */
export type DocumentHappening = 'updated' | 'sent' | 'signed' | 'cancelled' | 'viewed';

/** Columns that others keep: the trail has its own statement, the creation never changes. */
const OWN = documentColumns.filter(
  (column) => !['id', 'trail_length', 'trail_head', 'trail_at', 'created_at'].includes(column),
);
const SIGNERS = signerColumns.filter((column) => !['document_id', 'created_at'].includes(column));
const FIELDS = fieldColumns.filter((column) => column !== 'document_id');

/**
 * Keeps what a change made of a locked document and of the signers and fields that it had before, and says so: the columns
 * that differ, what it is found by, whether it needs attention, `updated_at`, audit entry and event. A change of what is
 * computed alone (a delivery, a lock) moves no `updated_at` and is told nowhere. Answers the document as it is then.
 */
export function documentChanged(
  work: Work,
  before: StoredDocument,
  changed: StoredDocument,
  happening: DocumentHappening = 'updated',
): StoredDocument {
  const fact = happening === 'viewed' ? documentFacts.updated : documentFacts[happening];
  const told = { before: toldOf(before, work.now), after: toldOf(changed, work.now) };
  const isTold = Object.keys(changesBetween(documentFacts.updated, told.before, told.after)).length > 0;
  const document: DocumentRow = {
    ...changed.document,
    needs_attention: needsAttention(changed.document, changed.signers),
    updated_at: isTold ? work.touch(before.document) : before.document.updated_at,
  };
  const after = { ...changed, document };
  writeDocument(work, before, after);
  work.updateAll(SignerModel, changedRows(SIGNERS, before.signers, changed.signers));
  work.updateAll(SignFieldModel, changedRows(FIELDS, before.fields, changed.fields));
  if (!isTold || happening === 'viewed') work.nothingChanged();
  else work.record(fact, told);
  return after;
}

/** Says by an event what a signer has done: `before` and `after` are its rows. */
export function announceSigner(
  work: Work,
  type: 'sign.signer.viewed' | 'sign.signer.signed' | 'sign.signer.declined',
  before: SignerRow,
  after: SignerRow,
): void {
  const was = toldSigner(signerOf(before, work.now));
  const is = toldSigner(signerOf(after, work.now));
  const changed = Object.keys(is).filter((member) => !isSameJson(was[member] ?? null, is[member] ?? null));
  work.announce(type, is, Object.fromEntries(changed.map((member) => [member, was[member]])));
}

/** What a document is found by: title, counterparty, and the names and addresses of its signers. */
export function searchColumns(
  { title, counterparty_name }: Pick<DocumentRow, 'title' | 'counterparty_name'>,
  signers: readonly Pick<SignerRow, 'name' | 'email'>[],
): { search_text: string; search_grams: number[] } {
  const lines = signers.flatMap(({ name, email }) => [name, email]);
  const search_text = searchText([title, counterparty_name, ...lines]);
  return { search_text, search_grams: gramsOf(search_text) };
}

function writeDocument(work: Work, before: StoredDocument, after: StoredDocument): void {
  const changes: Row = {};
  for (const column of OWN) {
    const [was, is] = [before.document[column], after.document[column]];
    if (!isSameJson(was ?? null, is ?? null)) changes[column] = is;
  }
  const was = searchColumns(before.document, before.signers);
  const is = searchColumns(after.document, after.signers);
  if (was.search_text !== is.search_text) Object.assign(changes, is);
  work.update(SignDocumentModel, after.document.id, changes);
}

/** The rows that were there before and differ now, with their columns. */
function changedRows<Kept extends SignerRow | FieldRow>(
  columns: readonly (keyof Kept & string)[],
  before: readonly Kept[],
  after: readonly Kept[],
): Row[] {
  const known = new Map(before.map((row) => [row.id, row]));
  return after.flatMap((row): Row[] => {
    const was = known.get(row.id);
    if (!was || columns.every((column) => isSameJson(was[column] ?? null, row[column] ?? null))) return [];
    return [Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))];
  });
}
