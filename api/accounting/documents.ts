import { z } from 'zod';
import { linkEvidence, unlinkEvidence } from '../../shared/accounting/documents/links.ts';
import {
  addVersion,
  createEvidence,
  discardEvidence,
  updateEvidence,
} from '../../shared/accounting/documents/operations.ts';
import { evidenceById, evidenceFile, evidencePage } from '../../shared/accounting/documents/queries.ts';
import {
  directions,
  documentTypes,
  EvidenceDocument,
  EvidenceDocumentInput,
  EvidenceDocumentPatch,
  evidenceKind,
  MOST_PARTS,
  MOST_YEN,
  registrationNumber,
} from '../../shared/accounting/documents/record.ts';
import { booleanParameter, byId, day, id, integerParameter, text } from '../../shared/kernel/schema.ts';
import { type ContentKind, contentKinds } from '../../shared/platform/intake/content-kind.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { type FileField, file, upload } from '../http/files/declarations.ts';
import { list } from '../http/list.ts';

const PATH = '/api/v1/accounting/documents';

/** What evidence may be; texts by their names too. */
const KINDS = ['pdf', 'jpeg', 'png', 'webp', 'heic', 'xlsx', 'xml', 'text'] as const satisfies ContentKind[];

const FILE: FileField = {
  field: 'file',
  limit: 50 * 1024 ** 2,
  keep: true,
  accepts: KINDS,
  description: 'PDF, JPEG, PNG, WebP, HEIC or XLSX by its content; XML, CSV or EML by its name.',
};

/** Who receives paper writes evidence, too. */
const WRITES = { scope: 'accounting:write', either_scope: 'received:write' } as const;

const Reply = z.strictObject({ document: EvidenceDocument });

const one = { params: byId('adoc') };

/** What the list of documents and the export of evidence can be narrowed by. */
export const evidenceFilters = z.object({
  date_from: day().describe('Of `transaction_date`.').optional(),
  date_to: day().optional(),
  amount_min: integerParameter(0, MOST_YEN).optional(),
  amount_max: integerParameter(0, MOST_YEN).optional(),
  company_id: id('comp').optional(),
  partner: z.string().max(200).optional(),
  document_type: z.enum(documentTypes).optional(),
  direction: z.enum(directions).optional(),
  registration_number: registrationNumber().optional(),
  linked: booleanParameter().describe('Whether an entry is linked to it.').optional(),
  search: z.string().max(200).optional(),
  include_discarded: booleanParameter().optional(),
});

export const documents = [
  list({
    id: 'accounting.documents.list',
    path: PATH,
    scope: 'accounting:read',
    summary: 'List evidence',
    description:
      'By date, amount and partner in any combination, as 電子帳簿保存法施行規則 art. 4(1) asks. `partner` looks at `partner_name` and the name of the company, `search` at the note and the file names too.',
    item: EvidenceDocument,
    looked_up: evidenceKind,
    filters: evidenceFilters,
    sorts: ['transaction_date', 'amount'],
    handle: ({ filters, window }, reader) => evidencePage(reader, filters, window),
  }),
  upload({
    id: 'accounting.documents.create',
    method: 'post',
    path: PATH,
    ...WRITES,
    summary: 'Keep a file as evidence',
    description:
      'The original, as it came: it is hashed while it streams to the store and never changes. `company_id` or `partner_name` says who it is from. The same bytes again are taken, and `warnings` names the document that has them.',
    file: FILE,
    fields: EvidenceDocumentInput,
    status: 201,
    reply: Reply,
    raises: ['unsupported_media_type', 'unknown_reference', 'already_exists'],
    handle: async ({ fields, file }, work) => ({ document: await createEvidence(work, fields, file) }),
  }),
  read({
    id: 'accounting.documents.get',
    method: 'get',
    path: `${PATH}/:id`,
    scope: 'accounting:read',
    summary: 'Read a document',
    description: 'With all its versions, and the entries that it is evidence of.',
    ...one,
    reply: Reply,
    handle: async ({ params }, reader) => ({ document: await evidenceById(reader, params.id) }),
  }),
  write({
    id: 'accounting.documents.update',
    method: 'patch',
    path: `${PATH}/:id`,
    ...WRITES,
    summary: 'Change what is said of a document',
    description:
      'Only the fields sent change; its files never do. What was there before stays in the change history.',
    ...one,
    body: EvidenceDocumentPatch,
    reply: Reply,
    raises: ['document_frozen', 'unknown_reference', 'already_exists'],
    handle: async ({ params, body }, work) => ({ document: await updateEvidence(work, params.id, body) }),
  }),
  upload({
    id: 'accounting.documents.versions',
    method: 'post',
    path: `${PATH}/:id/versions`,
    ...WRITES,
    summary: 'Add a version of a document',
    description: `Those before it stay, and can be had by their number. A document has ${MOST_PARTS} versions at most.`,
    ...one,
    file: FILE,
    status: 201,
    reply: Reply,
    raises: ['unsupported_media_type', 'document_frozen'],
    handle: async ({ params, file }, work) => {
      const document = await addVersion(work, params.id, file);
      return new Answer(201, { document }, { Location: `${PATH}/${document.id}` });
    },
  }),
  file({
    id: 'accounting.documents.file',
    path: `${PATH}/:id/file`,
    scope: 'accounting:read',
    summary: 'Download the file of a document',
    description: 'Byte by byte as it came.',
    ...one,
    query: z.strictObject({
      version: integerParameter(1, MOST_PARTS).describe('The newest unless said.').optional(),
    }),
    media_types: KINDS.map((kind) => contentKinds[kind]),
    handle: ({ params, query }, reader) => evidenceFile(reader, params.id, query.version),
  }),
  write({
    id: 'accounting.documents.link',
    method: 'post',
    path: `${PATH}/:id/link`,
    ...WRITES,
    summary: 'Link a document to an entry',
    description: 'Of any status, also in locked periods. Linked again it stays linked once.',
    ...one,
    body: z.strictObject({ journal_id: id('je') }),
    reply: Reply,
    raises: ['document_frozen', 'unknown_reference'],
    handle: async ({ params, body }, work) => ({
      document: await linkEvidence(work, params.id, body.journal_id),
    }),
  }),
  write({
    id: 'accounting.documents.unlink',
    method: 'delete',
    path: `${PATH}/:id/links/:journal_id`,
    ...WRITES,
    summary: 'Unlink a document from an entry',
    description: 'Not from one of a closed year.',
    params: z.object({ id: id('adoc'), journal_id: id('je') }),
    reply: Reply,
    raises: ['document_frozen', 'fiscal_year_closed'],
    handle: async ({ params }, work) => ({
      document: await unlinkEvidence(work, params.id, params.journal_id),
    }),
  }),
  write({
    id: 'accounting.documents.discard',
    method: 'post',
    path: `${PATH}/:id/discard`,
    ...WRITES,
    summary: 'Discard a document',
    description: 'Lists leave it out from then on, and nothing of it changes any more. Nothing is removed.',
    ...one,
    body: z.strictObject({ reason: text(500).meta({ examples: ['誤って登録したため'] }) }),
    reply: Reply,
    raises: ['document_frozen'],
    handle: async ({ params, body }, work) => ({
      document: await discardEvidence(work, params.id, body.reason),
    }),
  }),
];
