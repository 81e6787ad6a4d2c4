import { todayIn } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { isLocked } from './attention.ts';
import type { ListedDocument, ListedFile, ListedSigner } from './listed.ts';
import type { Field, SignDocument, Signer } from './record.ts';
import type { FieldRow, FileRow, StoredDocument } from './rows.ts';
import { actionsFor } from './transitions.ts';

/** Who asks, and when: what the computed members of a document follow from beside itself. */
export type Asking = Pick<Reader, 'actor' | 'now'> & {
  /** False where the settings ask for an approver, and who asks is none. */
  may_send: boolean;
};

/** A document as the API shows it. */
export function documentOf(stored: StoredDocument, asking: Asking): SignDocument {
  return { ...listedDocumentOf(stored, asking), fields: stored.fields.map(fieldOf) };
}

/** The same as lists show it: without its fields. */
export function listedDocumentOf({ document, signers, files }: ListedDocument, asking: Asking): SignDocument {
  const original = fileOfKind(files, 'original');
  return {
    id: document.id,
    object: 'sign.document',
    title: document.title,
    status: document.status,
    message: document.message,
    locale: document.locale,
    time_zone: document.time_zone,
    expires_at: document.expires_at,
    signers: signers.map((signer) => signerOf(signer, asking.now)),
    visibility: document.visibility,
    viewers: document.viewers,
    allow_forward: document.allow_forward,
    internal_memo: document.internal_memo,
    reminders: document.reminders,
    transaction_date: document.transaction_date,
    amount: document.amount,
    counterparty_name: document.counterparty_name,
    company_id: document.company_id,
    cancel_reason: document.cancel_reason,
    cancel_note: document.cancel_note,
    file: original && {
      file_name: original.file_name,
      size_bytes: original.size_bytes,
      sha256: original.sha256,
      page_count: original.page_count,
      has_signatures: original.has_signatures,
    },
    sealing: {
      status: document.sealing_status,
      attempts: document.sealing_attempts,
      error: document.sealing_error,
    },
    signed_file: sealedFileOf(fileOfKind(files, 'signed')),
    certificate_file: sealedFileOf(fileOfKind(files, 'certificate')),
    seal: document.seal,
    trail: { length: document.trail_length, head: document.trail_head },
    needs_attention: document.needs_attention,
    warnings: document.warnings.map((code) => ({ code })),
    available_actions: actionsFor(
      { document, signers },
      {
        grants: asking.actor.grants,
        may_send: asking.may_send,
        today: todayIn(document.time_zone, asking.now),
      },
    ),
    external_id: document.external_id,
    metadata: document.metadata,
    created_by: document.created_by,
    sent_at: document.sent_at,
    signed_at: document.signed_at,
    cancelled_at: document.cancelled_at,
    retention_until: document.retention_until,
    created_at: document.created_at,
    updated_at: document.updated_at,
  };
}

/** A signer as the API shows one. */
export function signerOf(row: ListedSigner, now: Date): Signer {
  return {
    id: row.id,
    object: 'sign.signer',
    document_id: row.document_id,
    key: row.key,
    name: row.name,
    email: row.email,
    role: row.role,
    order_group: row.order_group,
    auth: row.auth,
    has_access_code: row.access_code_hash !== null,
    locale: row.locale,
    time_zone: row.time_zone,
    status: row.status,
    delivery: row.delivery,
    delivery_error: row.delivery_error,
    locked: isLocked(row, now),
    locked_until: row.locked_until !== null && new Date(row.locked_until) > now ? row.locked_until : null,
    viewed_at: row.viewed_at,
    signed_at: row.signed_at,
    decline_reason: row.decline_reason,
    reminders_sent: row.reminders_sent,
    next_reminder_at: row.next_reminder_at,
  };
}

/** A field as the API shows one. */
export function fieldOf(row: FieldRow): Field {
  return {
    id: row.id,
    object: 'sign.field',
    key: row.key,
    signer: row.signer_id,
    type: row.type,
    page: row.page,
    x: row.x,
    y: row.y,
    w: row.w,
    h: row.h,
    required: row.required,
    label: row.label,
    options: row.options,
    font_size: row.font_size,
    validation: row.validation,
    value: shownValue(row),
    read_only: row.read_only,
  };
}

/** What a field is filled with: by its signer, else by the sender. */
export function shownValue({ value, prefill }: Pick<FieldRow, 'value' | 'prefill'>): Field['value'] {
  return value ?? prefill;
}

/** The present file of a kind, or null. */
export function fileOfKind<File extends Pick<FileRow, 'kind' | 'is_present'>>(
  files: readonly File[],
  kind: FileRow['kind'],
): File | null {
  return files.find((file) => file.kind === kind && file.is_present) ?? null;
}

function sealedFileOf(file: ListedFile | null): SignDocument['signed_file'] {
  if (!file) return null;
  const { sha256, size_bytes, page_count } = file;
  return { sha256, size_bytes, page_count };
}
