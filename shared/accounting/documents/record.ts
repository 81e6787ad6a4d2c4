import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, day, freeText, id, text, timestamp } from '../../kernel/schema.ts';

export const documentTypes = [
  'invoice',
  'receipt',
  'quotation',
  'purchase_order',
  'delivery_note',
  'contract',
  'statement',
  'other',
] as const;

export const directions = ['received', 'issued'] as const;

/** Yen that a document may be of: twelve digits. */
export const MOST_YEN = 999_999_999_999;

/** Versions of a document, and entries that one is linked to. */
export const MOST_PARTS = 100;

export function registrationNumber() {
  return z
    .string()
    .regex(/^T\d{13}$/, says({ en: 'must be T and 13 digits', ja: 'は T と13桁の数字で入力してください' }))
    .meta({ examples: ['T7000012050002'] });
}

const written = {
  document_type: z.enum(documentTypes),
  direction: z.enum(directions).describe('`received` unless said.'),
  transaction_date: day().meta({ examples: ['2026-04-25'] }),
  amount: z
    .int()
    .min(0)
    .max(MOST_YEN)
    .describe('In yen, tax included.')
    .meta({ examples: [11_000] }),
  company_id: id('comp').nullable(),
  partner_name: text(200)
    .nullable()
    .meta({ examples: ['株式会社港文具'] }),
  registration_number: registrationNumber().nullable(),
  qualified: z
    .boolean()
    .nullable()
    .describe('Whether it is a qualified invoice; null where nobody has looked.')
    .meta({ examples: [true] }),
  received_via: z.enum(['upload', 'email', 'scan', 'api', 'sign']).describe('`upload` unless said.'),
  note: freeText(1_000)
    .nullable()
    .meta({ examples: ['4月分'] }),
};

/** A file of a document. */
export const DocumentFile = z
  .strictObject({
    version: z.int().meta({ examples: [1] }),
    file_name: z.string().meta({ examples: ['請求書.pdf'] }),
    content_type: z
      .string()
      .describe('As its bytes say.')
      .meta({ examples: ['application/pdf'] }),
    size_bytes: z.int().meta({ examples: [48_213] }),
    sha256: z
      .string()
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
  })
  .meta({ id: 'EvidenceFile' });

export type DocumentFile = z.output<typeof DocumentFile>;

const DocumentWarning = z
  .strictObject({
    code: z.literal('duplicate_file'),
    message: z.string().meta({ examples: ['The same file is in adoc_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    document_id: id('adoc'),
  })
  .meta({ id: 'EvidenceWarning' });

/** A document of evidence, as the API shows one. */
export const EvidenceDocument = z
  .strictObject({
    id: id('adoc'),
    object: z.literal('accounting.document'),
    ...written,
    status: z.enum(['active', 'discarded']),
    discard_reason: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    ...ownKeys,
    file: DocumentFile.describe('Its newest version.'),
    versions: z
      .array(DocumentFile.extend({ uploaded_by: id('usr').nullable(), created_at: timestamp() }))
      .describe('All of them, the oldest first.'),
    journal_ids: z.array(id('je')).describe('The entries that it is evidence of.'),
    retention_until: computed(day()).meta({ examples: ['2037-05-31'] }),
    uploaded_by: id('usr').nullable(),
    warnings: computed(z.array(DocumentWarning)),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'EvidenceDocument' });

export type EvidenceDocument = z.output<typeof EvidenceDocument>;

/** What a new document is made from, beside its file. */
export const EvidenceDocumentInput = z
  .strictObject({ ...written, ...ownKeysInput })
  .partial()
  .required({ document_type: true, transaction_date: true, amount: true });

export type EvidenceDocumentInput = z.output<typeof EvidenceDocumentInput>;

/** What a change of a document may hold; its files are changed by new versions alone. */
export const EvidenceDocumentPatch = z
  .strictObject({ ...written, ...ownKeysInput })
  .partial()
  .meta({ id: 'EvidenceDocumentPatch' });

export type EvidenceDocumentPatch = z.output<typeof EvidenceDocumentPatch>;

export class EvidenceModel extends TenantModel {
  static override tableName = 'accounting_documents';
  static override jsonAttributes = ['metadata'];
}

export class EvidenceVersionModel extends TenantModel {
  static override tableName = 'accounting_document_versions';
}

/** What documents are looked up by. */
export const evidenceKind = recordKind({ table: EvidenceModel.tableName, prefix: 'adoc' });

export const evidenceFacts = factsOf({
  domain: 'accounting',
  entity_type: 'document',
  computed: computedIn(EvidenceDocument),
});

uniqueKey('accounting_documents_external_id_once', {
  table: EvidenceModel.tableName,
  read_by: 'accounting:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another document has this external_id',
    ja: 'この external_id はほかの証憑が使っています',
  },
});
refusesBy('accounting_documents_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);
refusesBy('accounting_document_links_organization_id_journal_id_fkey', () =>
  unknownReference('/journal_id', { en: 'The entry', ja: '仕訳' }),
);
