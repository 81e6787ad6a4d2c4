import { companyNameForm } from '../../crm/names.ts';
import { LINKS } from '../../invoicing/documents/record.ts';
import type { Fact } from '../../kernel/fact.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Row, Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import { type FileRow, RECEIVED_FILES } from '../files/record.ts';
import { missingOf } from '../transitions/complete.ts';
import { alikeTo } from './alike.ts';
import { type ClaimChange, claimChange } from './claims.ts';
import { columnsOf, lineRowsOf, searchedBy } from './columns.ts';
import { counted } from './derive.ts';
import { fileWarnings, isAboutFile } from './file-warnings.ts';
import { kinds } from './kinds.ts';
import { RECEIVED_LINES, type ReceivedDocument, ReceivedModel, receivedFacts } from './record.ts';
import { shownReceived } from './shown.ts';

export type ChangeOptions = {
  /** Whether what another document of the kind has already, number or file, may stand in this one too. */
  allow_duplicate?: boolean;
  fact?: Fact;
  /** What the audit log keeps of a change beside the document, such as a reason. */
  noted?: Record<string, unknown>;
};

/**
 * Writes what a change made of a document that is locked, or a new one (`before` is null), with all that follows from it:
 * amounts and input tax while it is not decided on, what is missing, warnings, claims, search; its lines and files. Its
 * payments are written by who pays. A change that changes nothing leaves no trace. Answers the document as it is now.
 * Errors: `validation_failed`, `unknown_reference`, `duplicate_file`, `duplicate_document`.
 */
export async function documentChanged(
  work: Work,
  before: ReceivedDocument | null,
  changed: ReceivedDocument,
  { allow_duplicate = false, fact, noted = {} }: ChangeOptions = {},
): Promise<ReceivedDocument> {
  const sent = { ...changed, company_key: companyKey(changed) };
  const derived = await derivedOf(work, before, sent);
  const [claims, duplicates, context] = await Promise.all([
    claimChange(work, before, sent, { allow_duplicate }),
    alikeTo(work, derived),
    receivedContext(work),
  ]);
  const { held, duplicate_of } = claims;
  const fresh: ReceivedDocument = { ...derived, claims: held, duplicate_of, duplicates };
  const anyone = { ...context, grants: null, user_id: null };
  const facts = receivedFacts[changed.kind];
  if (before === null) {
    insertDocument(work, fresh, claims);
    work.record(fact ?? facts.created, { before: null, after: shownReceived(fresh, anyone) });
    return fresh;
  }
  const shown = shownReceived(before, anyone);
  const chosen = fact ?? facts.updated;
  if (!chosen.always && work.isSame(chosen, shown, shownReceived(fresh, anyone))) {
    return { ...before, duplicates };
  }
  const after = { ...fresh, updated_at: work.touch(before) };
  updateDocument(work, before, after, claims);
  work.record(chosen, { before: shown, after: { ...shownReceived(after, anyone), ...noted } });
  return after;
}

async function derivedOf(
  work: Work,
  before: ReceivedDocument | null,
  changed: ReceivedDocument,
): Promise<ReceivedDocument> {
  const isOpen = before === null || before.status === 'pending' || changed.status === 'pending';
  const document = isOpen ? await counted(work, changed) : changed;
  const isFiledAnew = before === null || !isSameJson(before.files, changed.files);
  const about_files = isFiledAnew ? await fileWarnings(work, changed) : document.warnings.filter(isAboutFile);
  return {
    ...document,
    file_count: document.files.length,
    missing: missingOf({ ...document, line_items: document.lines }),
    warnings: [...document.warnings.filter((warning) => !isAboutFile(warning)), ...about_files],
  };
}

/** Who sent a document, where documents are compared. */
export function companyKey({
  company_id,
  company_name,
}: Pick<ReceivedDocument, 'company_id' | 'company_name'>): string | null {
  return company_id ?? (company_name === null ? null : `name:${companyNameForm(company_name)}`);
}

function insertDocument(work: Work, document: ReceivedDocument, claims: ClaimChange): void {
  work.insert(ReceivedModel, { ...columnsOf(document), ...searchedBy(document) });
  work.insertAll(RECEIVED_LINES, lineRowsOf(document));
  insertFiles(work, document.files);
  writeClaims(work, document, claims);
  work.insertAll(
    LINKS,
    document.source.map(({ type, id }) => ({
      source_id: id,
      target_id: document.id,
      source_type: type,
      target_type: kinds[document.kind].name,
      created_at: document.created_at,
    })),
  );
}

const DELETE_LINES = 'DELETE FROM received_lines WHERE organization_id = $1 AND document_id = $2';

function updateDocument(
  work: Work,
  before: ReceivedDocument,
  after: ReceivedDocument,
  claims: ClaimChange,
): void {
  work.update(ReceivedModel, before.id, changedColumns(before, after));
  if (!isSameJson(before.lines, after.lines)) {
    work.run(DELETE_LINES, [work.organization_id, before.id]);
    work.insertAll(RECEIVED_LINES, lineRowsOf(after));
  }
  const known = new Map(before.files.map((file) => [file.id, file]));
  insertFiles(
    work,
    after.files.filter(({ id }) => !known.has(id)),
  );
  for (const { id, superseded_by } of after.files) {
    const file = known.get(id);
    if (file && file.superseded_by !== superseded_by) work.update(RECEIVED_FILES, id, { superseded_by });
  }
  writeClaims(work, after, claims);
}

function insertFiles(work: Work, files: readonly FileRow[]): void {
  work.insertAll(
    RECEIVED_FILES,
    files.map((file) => ({ ...file })),
  );
}

function changedColumns(before: ReceivedDocument, after: ReceivedDocument): Row {
  const old = { ...columnsOf(before), ...searchedBy(before) };
  const fresh = { ...columnsOf(after), ...searchedBy(after) };
  const changes = Object.fromEntries(
    Object.entries(fresh).filter(([column, value]) => !isSameJson(old[column as keyof typeof old], value)),
  );
  // A refusal names who has the key already, and keys are told apart by kind.
  return { ...changes, ...('external_id' in changes && { kind: after.kind }) };
}

/** A claim that somebody else takes meanwhile has the work run again, and then it finds that document. */
function writeClaims(work: Work, { id, kind }: ReceivedDocument, { added, removed }: ClaimChange): void {
  if (removed.length > 0) {
    work.run(
      'DELETE FROM received_claims WHERE organization_id = $1 AND document_id = $2 AND claim = ANY ($3)',
      [work.organization_id, id, removed],
    );
  }
  if (added.length === 0) return;
  work.repeatOn('received_claims_pkey');
  work.insertAll(
    { tableName: 'received_claims' },
    added.map((claim) => ({ kind, claim, document_id: id })),
  );
}
