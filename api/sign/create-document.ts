import { z } from 'zod';
import { invalid } from '../../shared/kernel/failure.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import { createDocument, type DocumentMaking } from '../../shared/sign/documents/create.ts';
import { inspected, MOST_FILE_BYTES } from '../../shared/sign/documents/files.ts';
import { DocumentInput } from '../../shared/sign/documents/input.ts';
import { SignDocument } from '../../shared/sign/documents/record.ts';
import { documentFor } from '../../shared/sign/documents/shown-to.ts';
import { templateFor } from '../../shared/sign/documents/template.ts';
import { sendDocument } from '../../shared/sign/life/send.ts';
import { remadePrefills } from '../../shared/sign/values/prefills.ts';
import { write } from '../http/endpoint.ts';
import { type FileField, upload } from '../http/files/declarations.ts';
import { accessCodeHashes } from './access-codes.ts';
import { requireFewBesidePoints } from './points.ts';
import { copiedFrom } from './source.ts';

export const PATH = '/api/v1/sign/documents';

export const DocumentReply = z.strictObject({ document: SignDocument });

/** Three images of 256 KiB in base64, and strokes of as many points as fields may have. */
export const BODY_LIMITS = { bytes: 8 * 1024 ** 2, values: 1_000_000, check: requireFewBesidePoints };

export const PDF_FIELD: FileField = {
  field: 'file',
  limit: MOST_FILE_BYTES,
  keep: true,
  accepts: ['pdf'],
  description:
    'A PDF of up to 500 pages, without encryption, scripts and forms that run programs. One that was signed before is taken where something can be added to it.',
};

const MADE = ['unknown_reference', 'already_exists', 'unsupported_media_type'] as const;

/** What sending at once can refuse. */
const SENT = ['not_sendable', 'seal_key_missing', 'seal_key_expired', 'insufficient_scope'] as const;

type Making = Omit<DocumentMaking, 'template' | 'source'>;

const fromJson = write({
  id: 'sign.documents.create',
  method: 'post',
  path: PATH,
  scope: 'sign:write',
  summary: 'Create a document for signing',
  body: DocumentInput,
  body_limits: BODY_LIMITS,
  status: 201,
  reply: DocumentReply,
  raises: [...MADE, ...SENT, 'not_issued', 'unavailable'],
  prepare: async ({ body }, before) => ({
    arrived: await copiedFrom(body.source, before),
    access_code_hashes: await accessCodeHashes(body.signers),
    ...(body.fields && { fields: await remadePrefills(body.fields) }),
  }),
  handle: async ({ body, prepared: { fields, ...making }, seal }, work) =>
    made(work, { ...body, ...(fields && { fields }) }, making, seal),
});

export const createDocuments = upload({
  id: 'sign.documents.create',
  method: 'post',
  path: PATH,
  scope: 'sign:write',
  summary: 'Create a document for signing',
  description:
    'By a form with the PDF as `file` and the rest as JSON in `data`; or as JSON alone, then with `source`, or without a file that is put later. `source` copies the PDF of an issued record of invoicing or a file of the cloud, with the rights that reading it needs; another document for signing is a template: it also gives its signers and fields, without codes and without what its signers entered, and `signers` say name, address and code by `key`. With `send` it is sent at once, and what cannot be sent is not made.',
  file: PDF_FIELD,
  fields: DocumentInput,
  together: 'data',
  or: fromJson,
  status: 201,
  reply: DocumentReply,
  raises: [...MADE, ...SENT],
  inspect: async ({ fields, content, signal }) => {
    if (fields.source) throw fileBesideSource();
    return {
      inspected: await inspected(await content(), signal),
      access_code_hashes: await accessCodeHashes(fields.signers),
      ...(fields.fields && { fields: await remadePrefills(fields.fields) }),
    };
  },
  handle: async ({ fields: sent, file, inspected: found, seal }, work) => {
    const { inspected, access_code_hashes, fields } = found;
    const making = { access_code_hashes, arrived: { file, inspected } };
    return made(work, { ...sent, ...(fields && { fields }) }, making, seal);
  },
});

async function made(
  work: Work,
  input: DocumentInput,
  making: Making,
  seal: SealSettings,
): Promise<z.output<typeof DocumentReply>> {
  const { source = null } = input;
  const template = source?.type === 'document' ? await templateFor(work, source.id) : null;
  const stored = await createDocument(work, input, { ...making, template, source });
  if (!input.send) return { document: await documentFor(work, stored) };
  await work.flush();
  return { document: await documentFor(work, await sendDocument(work, stored.document.id, seal)) };
}

function fileBesideSource() {
  return invalid('/file', 'conflict', {
    en: 'A file cannot stand beside source',
    ja: 'file は source と一緒には指定できません',
  });
}
