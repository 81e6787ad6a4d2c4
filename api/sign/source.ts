import { contentOfSource } from '../../shared/cloud/copies/operations.ts';
import { contentOfFile } from '../../shared/cloud/files/content.ts';
import { fileSources } from '../../shared/domains.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { FileSource } from '../../shared/platform/file-sources/source.ts';
import { takeFile } from '../../shared/platform/intake/take-file.ts';
import type { NewJob } from '../../shared/platform/jobs/operations.ts';
import { readNamed } from '../../shared/platform/storage/missing.ts';
import type { UploadedFile } from '../../shared/platform/storage/stored-file.ts';
import { type ArrivedPdf, inspected, MOST_FILE_BYTES } from '../../shared/sign/documents/files.ts';
import type { DocumentInput, SourceType } from '../../shared/sign/documents/input.ts';
import { madeInTime } from '../http/files/generated.ts';
import type { Before } from '../http/write-endpoint.ts';

/** A file of the cloud, as who sees it there may copy it. */
const cloudFile: FileSource = {
  type: 'cloud_file',
  prefix: 'file',
  scope: 'cloud:read',
  content: async (reader, id) => ({ file: await contentOfFile(reader, id, {}) }),
};

/**
 * The file that a new document is made from, copied to the store and looked into; null where the request names none, or
 * names another document for signing. A PDF that a worker has to make is waited for. Errors: `insufficient_scope`,
 * `unknown_reference` at /source/id, `not_issued`, `unsupported_media_type`, `body_too_large`, `unavailable`,
 * `validation_failed`.
 */
export async function copiedFrom(
  source: DocumentInput['source'],
  before: Before,
): Promise<ArrivedPdf | null> {
  if (!source || source.type === 'document' || (await before.isRepeated())) return null;
  const { caller, context, database, signal } = before;
  const from = sourceOf(source.type);
  const content = await database.withConnection(
    caller.organization_id,
    (connection) => contentFor({ ...caller, connection }, from, source.id),
    signal,
  );
  const making: NewJob = from.making ?? { kind: 'platform.jobs.copy', unit: null, scope: from.scope };
  const made = await madeInTime(context, before, { content, making, waits: true });
  if (!('file' in made)) throw notReady(made.job.id);
  const { storage_key, file_name, media_type } = made.file;
  const file: UploadedFile = await takeFile(
    context,
    {
      organization_id: caller.organization_id,
      limit: MOST_FILE_BYTES,
      into: 'store',
      accepts: ['pdf'],
      now: caller.now,
      signal,
    },
    { body: await readNamed(context.storage, storage_key), file_name, media_type },
  );
  const bytes = async () =>
    Buffer.concat(await Array.fromAsync(await context.storage.read(file.storage_key!)));
  return { file, inspected: await inspected(await bytes(), signal, '/source/id') };
}

function sourceOf(type: Exclude<SourceType, 'document'>): FileSource {
  return type === 'cloud_file' ? cloudFile : fileSources.get(type)!;
}

async function contentFor(reader: Reader, from: FileSource, id: string) {
  const content = await contentOfSource(reader, from, id);
  if (from.is_final && !(await from.is_final(reader, id))) throw new Failure('not_issued');
  return content;
}

function notReady(job_id: string): Failure {
  return new Failure('unavailable', {
    detail: {
      en: 'The PDF of the source is being made; send the request again',
      ja: '元の書類のPDFを作成しています。もう一度送信してください',
    },
    headers: { 'Retry-After': '5' },
    members: { job_id },
  });
}
