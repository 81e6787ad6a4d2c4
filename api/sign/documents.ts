import { z } from 'zod';
import { booleanParameter, byId, day, email, id, integerParameter } from '../../shared/kernel/schema.ts';
import { eraseDocument } from '../../shared/sign/documents/erase.ts';
import { inspected } from '../../shared/sign/documents/files.ts';
import { DocumentPatch } from '../../shared/sign/documents/input.ts';
import { documentPage } from '../../shared/sign/documents/list.ts';
import { storedDocument } from '../../shared/sign/documents/queries.ts';
import { MOST_YEN, SignDocument } from '../../shared/sign/documents/record.ts';
import { replaceFile } from '../../shared/sign/documents/replace-file.ts';
import { signDocumentKind } from '../../shared/sign/documents/rows.ts';
import { documentFor } from '../../shared/sign/documents/shown-to.ts';
import { refusalsOf } from '../../shared/sign/documents/transitions.ts';
import { updateDocument } from '../../shared/sign/documents/update.ts';
import { documentStatuses } from '../../shared/sign/documents/words.ts';
import { remadePrefills } from '../../shared/sign/values/prefills.ts';
import { read, write } from '../http/endpoint.ts';
import { upload } from '../http/files/declarations.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { deleting, resource } from '../http/resource.ts';
import { accessCodeHashes } from './access-codes.ts';
import { BODY_LIMITS, createDocuments, DocumentReply, PATH, PDF_FIELD } from './create-document.ts';

const document = resource({
  id: 'sign.documents',
  path: PATH,
  domain: 'sign',
  one: 'a document for signing',
  prefix: 'doc',
});

export const documentList = list({
  ...document.list,
  summary: 'List documents for signing',
  description:
    'Those that you see: your own, those that name you in `viewers`, those of visibility `organization`; owner and admins see all. With their signers, and without their fields. `search` looks at the title, the counterparty, and names and addresses of signers.',
  item: SignDocument,
  looked_up: signDocumentKind,
  filters: z.object({
    status: manyOf(z.enum(documentStatuses)).optional(),
    search: z.string().max(200).optional(),
    company_id: id('comp').optional(),
    signer_email: email().describe('The address of one of its signers.').optional(),
    needs_attention: booleanParameter().optional(),
    transaction_date_from: day().optional(),
    transaction_date_to: day().optional(),
    amount_min: integerParameter(0, MOST_YEN).optional(),
    amount_max: integerParameter(0, MOST_YEN).optional(),
  }),
  sorts: ['sent_at', 'expires_at', 'transaction_date', 'amount', 'title'],
  handle: ({ filters, window }, reader) => documentPage(reader, filters, window),
});

export const documents = [
  documentList,
  createDocuments,
  read({
    ...document.get,
    description: 'With its signers and fields. One that you do not see is not there.',
    reply: DocumentReply,
    handle: async ({ params }, reader) => ({
      document: await documentFor(reader, await storedDocument(reader, params.id)),
    }),
  }),
  write({
    ...document.update,
    description:
      'Only the fields sent change. `signers` and `fields` stand in the place of those that are there: one with a known `id` keeps what it does not send, and the fields of a signer who is left out go. `reminders` is merged. What signers saw does not change any more once it was sent; `frozen` names what still does.',
    body: DocumentPatch,
    body_limits: BODY_LIMITS,
    reply: DocumentReply,
    raises: ['sign_document_frozen', 'document_retained', 'unknown_reference', 'already_exists'],
    prepare: async ({ body }) => ({
      access_code_hashes: await accessCodeHashes(body.signers),
      patch: body.fields ? { ...body, fields: await remadePrefills(body.fields) } : body,
    }),
    handle: async ({ params, prepared: { patch, access_code_hashes } }, work) => ({
      document: await documentFor(work, await updateDocument(work, params.id, patch, access_code_hashes)),
    }),
  }),
  upload({
    id: 'sign.documents.file',
    method: 'put',
    path: `${PATH}/:id/file`,
    scope: 'sign:write',
    summary: 'Give a draft another file',
    description: 'By a form with the PDF as `file`. Its fields stay where they are.',
    params: byId('doc'),
    file: PDF_FIELD,
    reply: DocumentReply,
    raises: ['sign_document_frozen', 'unsupported_media_type'],
    inspect: async ({ content, signal }) => inspected(await content(), signal),
    handle: async ({ params, file, inspected: found }, work) => ({
      document: await documentFor(work, await replaceFile(work, params.id, { file, inspected: found })),
    }),
  }),
  write({
    ...document.delete,
    description:
      'A draft, or what was cancelled; a signed document once `retention_until` has passed. Of what was sent the trail stays, and nothing else.',
    raises: refusalsOf('delete'),
    handle: deleting(eraseDocument),
  }),
];
