import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';
import { evidenceById, lockEvidence } from './queries.ts';
import {
  type EvidenceDocument,
  type EvidenceDocumentInput,
  type EvidenceDocumentPatch,
  EvidenceModel,
  EvidenceVersionModel,
  evidenceFacts,
  MOST_PARTS,
} from './record.ts';
import {
  columnsOfEvidence,
  type Evidence,
  type EvidenceContext,
  type EvidenceRow,
  evidenceOf,
  type VersionRow,
} from './rows.ts';

/**
 * Keeps a file as evidence. The same bytes may come again: `warnings` of the answer says where they are. Errors:
 * `validation_failed` without a company and a name of the partner, or for an empty file; `unknown_reference`,
 * `unsupported_media_type`, `already_exists`.
 */
export async function createEvidence(
  work: Work,
  input: EvidenceDocumentInput,
  file: UploadedFile,
): Promise<EvidenceDocument> {
  const at = work.now.toISOString();
  const row: EvidenceRow = {
    id: newId('adoc', work.now),
    document_type: input.document_type,
    direction: input.direction ?? 'received',
    transaction_date: input.transaction_date,
    amount: input.amount,
    company_id: input.company_id ?? null,
    partner_name: input.partner_name ?? null,
    registration_number: input.registration_number ?? null,
    qualified: input.qualified ?? null,
    received_via: input.received_via ?? 'upload',
    note: input.note ?? null,
    status: 'active',
    discard_reason: null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    version: 1,
    uploaded_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
  requirePartner(row);
  const version = versionOf(work, file, 1);
  work.insert(EvidenceModel, columnsOfEvidence(row, [version.file_name]));
  insertVersion(work, row.id, version);
  await work.flush();
  const document = await evidenceById(work, row.id);
  work.record(evidenceFacts.created, { before: null, after: document });
  return document;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, `frozen`, and those of making one. */
export async function updateEvidence(
  work: Work,
  id: string,
  { metadata, ...fields }: EvidenceDocumentPatch,
): Promise<EvidenceDocument> {
  const { evidence, context } = await lockActive(work, id);
  const row: EvidenceRow = {
    ...evidence.row,
    ...fields,
    metadata: metadataAfter(evidence.row.metadata, metadata),
  };
  requirePartner(row);
  return writeEvidence(work, evidence, { ...evidence, row }, context);
}

/** Adds a version; those before it stay as they are. Errors: `not_found`, `frozen`, `validation_failed`, `unsupported_media_type`. */
export async function addVersion(work: Work, id: string, file: UploadedFile): Promise<EvidenceDocument> {
  const { evidence } = await lockActive(work, id);
  const number = evidence.row.version + 1;
  if (number > MOST_PARTS) {
    throw invalid('/file', 'too_many', {
      en: `A document has ${MOST_PARTS} versions at most`,
      ja: `証憑の版は${MOST_PARTS}件までです`,
    });
  }
  const version = versionOf(work, file, number);
  insertVersion(work, id, version);
  await work.flush();
  const { evidence: now, context } = await lockEvidence(work, id);
  return writeEvidence(work, evidence, { ...now, row: { ...now.row, version: number } }, context);
}

/** Hides a document from lists and freezes it; nothing of it is removed. Errors: `not_found`, `frozen`. */
export async function discardEvidence(work: Work, id: string, reason: string): Promise<EvidenceDocument> {
  const { evidence, context } = await lockActive(work, id);
  const row: EvidenceRow = { ...evidence.row, status: 'discarded', discard_reason: reason };
  return writeEvidence(work, evidence, { ...evidence, row }, context);
}

/** A document that is not discarded, locked, as the caller last saw it. Errors: `not_found`, `precondition_failed`, `frozen`. */
export async function lockActive(
  work: Work,
  id: string,
): Promise<{ evidence: Evidence; context: EvidenceContext }> {
  const found = await lockEvidence(work, id);
  work.precondition(found.evidence.row);
  if (found.evidence.row.status === 'discarded') throw new Failure('document_frozen');
  return found;
}

/** Keeps what a change made of a locked document, and says so. */
export function writeEvidence(
  work: Work,
  before: Evidence,
  changed: Evidence,
  context: EvidenceContext,
): EvidenceDocument {
  const shown_before = evidenceOf(before, context);
  const shown = evidenceOf(changed, context);
  if (work.isSame(evidenceFacts.updated, shown_before, shown)) return shown;
  const row: EvidenceRow = { ...changed.row, updated_at: work.touch(before.row) };
  const { id, created_at, ...columns } = columnsOfEvidence(
    row,
    changed.versions.map(({ file_name }) => file_name),
  );
  work.update(EvidenceModel, row.id, columns);
  const after = { ...shown, updated_at: row.updated_at };
  work.record(evidenceFacts.updated, { before: shown_before, after });
  return after;
}

/** Errors: `validation_failed` at /partner_name. */
function requirePartner({ company_id, partner_name }: EvidenceRow): void {
  if (company_id !== null || partner_name !== null) return;
  throw invalid('/partner_name', 'required', {
    en: 'company_id or partner_name is required',
    ja: 'company_id か partner_name を指定してください',
  });
}

/** A document would have more entries than it may have: 422 where the body names one. */
export function tooManyEntries(path: string): Failure {
  return invalid(path, 'too_many', {
    en: `A document has ${MOST_PARTS} entries at most`,
    ja: `1つの証憑に紐付けられる仕訳は${MOST_PARTS}件までです`,
  });
}

/** Texts that have no signature of their own: their names say which they are. */
const NAMED_TEXTS = /\.(csv|eml|xml)$/i;

/** What is kept of a file that came with the request. Errors: `validation_failed` for an empty one, `unsupported_media_type`. */
function versionOf(work: Work, file: UploadedFile, version: number): VersionRow {
  const { storage_key, file_name, content_type, size, sha256 } = file;
  if (size === 0) {
    throw invalid('/file', 'too_small', { en: 'The file is empty', ja: 'ファイルが空です' });
  }
  if (content_type.startsWith('text/') && !NAMED_TEXTS.test(file_name)) {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: 'A text is taken as .csv, .eml or .xml',
        ja: 'テキストファイルは .csv・.eml・.xml だけを登録できます',
      },
    });
  }
  if (storage_key === null) throw new Error('The endpoint does not keep its file');
  return {
    version,
    storage_key,
    file_name,
    content_type,
    size_bytes: size,
    sha256,
    uploaded_by: work.actor.user_id,
    created_at: work.now.toISOString(),
  };
}

function insertVersion(work: Work, document_id: string, version: VersionRow): void {
  work.insert(EvidenceVersionModel, { document_id, ...version });
}
