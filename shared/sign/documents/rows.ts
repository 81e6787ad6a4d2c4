import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import type { Field, SignDocument, Signer } from './record.ts';
import { seesById } from './sight.ts';

/** What a document was made from, where that was a record. */
export type Source = { type: string; id: string };

/** A document as it is stored; its signers, fields and files stand beside it. */
export type DocumentRow = Omit<
  SignDocument,
  | 'object'
  | 'signers'
  | 'fields'
  | 'file'
  | 'sealing'
  | 'signed_file'
  | 'certificate_file'
  | 'trail'
  | 'warnings'
  | 'available_actions'
> & {
  source: Source | null;
  warnings: SignDocument['warnings'][number]['code'][];
  sealing_status: SignDocument['sealing']['status'];
  sealing_attempts: number;
  sealing_error: string | null;
  sealing_since: string | null;
  /** When it is tried next, where the last try or the sweep has said so. */
  sealing_next_at: string | null;
  seal_renew_at: string | null;
  trail_length: number;
  trail_head: string;
  /** When its last event was; null before the first. */
  trail_at: string | null;
  /** When it is warned of its expiry; null where it is not, or not any more. */
  warn_at: string | null;
  expiry_warned_at: string | null;
  /** The day on which it was signed or cancelled, in its own zone. */
  ended_on: string | null;
  erased_at: string | null;
};

export const documentColumns = [
  'id',
  'title',
  'status',
  'message',
  'locale',
  'time_zone',
  'expires_at',
  'visibility',
  'viewers',
  'allow_forward',
  'internal_memo',
  'reminders',
  'transaction_date',
  'amount',
  'counterparty_name',
  'company_id',
  'source',
  'warnings',
  'cancel_reason',
  'cancel_note',
  'sealing_status',
  'sealing_attempts',
  'sealing_error',
  'sealing_since',
  'sealing_next_at',
  'seal',
  'seal_renew_at',
  'trail_length',
  'trail_head',
  'trail_at',
  'needs_attention',
  'warn_at',
  'expiry_warned_at',
  'external_id',
  'metadata',
  'created_by',
  'sent_at',
  'signed_at',
  'cancelled_at',
  'ended_on',
  'retention_until',
  'erased_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof DocumentRow)[];

/** From where a signer signed. */
export type SignedFrom = { ip_address: string | null; user_agent: string | null; methods: string[] };

/** A signer as stored. */
export type SignerRow = Omit<Signer, 'object' | 'has_access_code' | 'locked'> & {
  position: number;
  /** The address as it is compared. */
  email_key: string | null;
  access_code_hash: string | null;
  failed_tries: number;
  is_locked: boolean;
  notified_at: string | null;
  signed_from: SignedFrom | null;
  reminded_at: string | null;
  created_at: string;
};

export const signerColumns = [
  'id',
  'document_id',
  'position',
  'key',
  'name',
  'email',
  'email_key',
  'role',
  'order_group',
  'auth',
  'access_code_hash',
  'locale',
  'time_zone',
  'status',
  'delivery',
  'delivery_error',
  'failed_tries',
  'is_locked',
  'locked_until',
  'notified_at',
  'viewed_at',
  'signed_at',
  'signed_from',
  'decline_reason',
  'reminders_sent',
  'next_reminder_at',
  'reminded_at',
  'created_at',
] as const satisfies readonly (keyof SignerRow)[];

/** A field as stored: `prefill` is what the sender gave, `value` what its signer did. */
export type FieldRow = Omit<Field, 'object' | 'signer' | 'value'> & {
  document_id: string;
  signer_id: string;
  position: number;
  prefill: Field['value'];
  value: Field['value'];
};

export const fieldColumns = [
  'id',
  'document_id',
  'signer_id',
  'position',
  'key',
  'type',
  'page',
  'x',
  'y',
  'w',
  'h',
  'required',
  'label',
  'options',
  'font_size',
  'validation',
  'prefill',
  'value',
  'read_only',
] as const satisfies readonly (keyof FieldRow)[];

/** A page as its fields see it: the CropBox in points and its turn. */
export type PageGeometry = { crop_box: [number, number, number, number]; rotation: 0 | 90 | 180 | 270 };

/** A file of a document as stored; the present one of each kind is what the document shows. */
export type FileRow = {
  document_id: string;
  kind: 'original' | 'redrawn' | 'signed' | 'certificate';
  version: number;
  is_present: boolean;
  storage_key: string;
  file_name: string;
  size_bytes: number;
  sha256: string;
  page_count: number;
  has_signatures: boolean;
  geometry: PageGeometry[] | null;
  values_sha256: string | null;
  seal_digest: string | null;
  created_at: string;
};

export const fileColumns = [
  'document_id',
  'kind',
  'version',
  'is_present',
  'storage_key',
  'file_name',
  'size_bytes',
  'sha256',
  'page_count',
  'has_signatures',
  'geometry',
  'values_sha256',
  'seal_digest',
  'created_at',
] as const satisfies readonly (keyof FileRow)[];

/** A document with all that other tables hold of it: its files are the present ones. */
export type StoredDocument = {
  document: DocumentRow;
  /** In the order of the document. */
  signers: SignerRow[];
  fields: FieldRow[];
  files: FileRow[];
};

export class SignDocumentModel extends TenantModel {
  static override tableName = 'sign_documents';
  static override jsonAttributes = ['viewers', 'reminders', 'source', 'warnings', 'seal', 'metadata'];
}

export class SignerModel extends TenantModel {
  static override tableName = 'sign_signers';
  static override jsonAttributes = ['signed_from'];
}

export class SignFieldModel extends TenantModel {
  static override tableName = 'sign_fields';
  static override jsonAttributes = ['options', 'validation', 'prefill', 'value'];
}

export class SignFileModel extends TenantModel {
  static override tableName = 'sign_files';
  static override jsonAttributes = ['geometry'];
}

/** What documents for signing are looked up by. */
export const signDocumentKind = recordKind({ table: SignDocumentModel.tableName, prefix: 'doc' });

uniqueKey('sign_documents_external_id_once', {
  table: SignDocumentModel.tableName,
  read_by: 'sign:read',
  sees: seesById,
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another document has this external_id',
    ja: 'この external_id はほかの書類が使っています',
  },
});
