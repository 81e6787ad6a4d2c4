import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { signSettingsOf } from '../settings/queries.ts';
import { searchColumns } from './changes.ts';
import { documentFacts, toldOf } from './facts.ts';
import { type ArrivedPdf, originalOf, warningsFor } from './files.ts';
import type { DocumentInput } from './input.ts';
import { fieldsAfter, type PartsContext, signersAfter } from './parts.ts';
import { requireViewers } from './references.ts';
import {
  type DocumentRow,
  type FileRow,
  SignDocumentModel,
  SignerModel,
  SignFieldModel,
  SignFileModel,
  type Source,
  type StoredDocument,
} from './rows.ts';
import { type Template, templateParts } from './template.ts';

/** What a new document is made from beside its fields. */
export type DocumentMaking = {
  /** What was uploaded or copied for it; null where nothing was. */
  arrived: ArrivedPdf | null;
  /** The document that it follows, with a row of its file. */
  template: Template | null;
  source: Source | null;
  /** By the place of a signer in the request, the hash of the access code that it sent. */
  access_code_hashes: ReadonlyMap<number, string>;
};

/** What nothing was signed or sealed of. */
const UNTOUCHED = {
  cancel_reason: null,
  cancel_note: null,
  sealing_status: 'none',
  sealing_attempts: 0,
  sealing_error: null,
  sealing_since: null,
  sealing_next_at: null,
  seal: null,
  seal_renew_at: null,
  trail_length: 0,
  trail_head: '0'.repeat(64),
  trail_at: null,
  needs_attention: false,
  warn_at: null,
  expiry_warned_at: null,
  sent_at: null,
  signed_at: null,
  cancelled_at: null,
  ended_on: null,
  retention_until: null,
  erased_at: null,
} as const;

/**
 * Makes a draft. Errors: `validation_failed` for signers and fields, `unknown_reference` for a company or a viewer,
 * `already_exists`.
 */
export async function createDocument(
  work: Work,
  input: DocumentInput,
  { arrived, template, source, access_code_hashes }: DocumentMaking,
): Promise<StoredDocument> {
  const settings = await signSettingsOf(work);
  const id = newId('doc', work.now);
  const file: FileRow | null = arrived ? originalOf(work, { id }, arrived, 1) : (template?.file ?? null);
  const at = work.now.toISOString();
  const viewers = [...new Set(input.viewers)];
  await requireViewers(work, viewers);
  const document: DocumentRow = {
    id,
    title: input.title,
    status: 'draft',
    message: input.message ?? null,
    locale: input.locale ?? settings.locale,
    time_zone: input.time_zone ?? settings.time_zone,
    expires_at: input.expires_at ?? null,
    visibility: input.visibility ?? 'private',
    viewers,
    allow_forward: input.allow_forward ?? false,
    internal_memo: input.internal_memo ?? null,
    reminders: { ...settings.reminders, ...input.reminders },
    transaction_date: input.transaction_date ?? null,
    amount: input.amount ?? null,
    counterparty_name: input.counterparty_name ?? null,
    company_id: input.company_id ?? null,
    source,
    warnings: file ? warningsFor(file) : [],
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
    ...UNTOUCHED,
  };
  const context: PartsContext = {
    document,
    default_auth: settings.default_auth,
    access_code_hashes,
    now: work.now,
  };
  const parts = template
    ? templateParts(template, input, context)
    : { signers: signersAfter([], input.signers ?? [], context), sent: input.fields ?? [] };
  const fields = fieldsAfter([], parts.sent, parts.signers, context);
  const files = file ? [{ ...file, document_id: id }] : [];
  const stored: StoredDocument = { document, signers: parts.signers, fields, files };
  insertDocument(work, stored);
  work.record(documentFacts.created, { before: null, after: toldOf(stored, work.now) });
  return stored;
}

function insertDocument(work: Work, { document, signers, fields, files }: StoredDocument): void {
  work.insert(SignDocumentModel, { ...document, ...searchColumns(document, signers) });
  work.insertAll(SignFileModel, files);
  work.insertAll(SignerModel, signers);
  work.insertAll(SignFieldModel, fields);
}
