import type { z } from 'zod';
import { invalid } from '../../shared/kernel/failure.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { keepUploadedFile } from '../../shared/platform/intake/kept-files.ts';
import { createReceived } from '../../shared/received/documents/create.ts';
import { type ReceivedInput, receivedInputs } from '../../shared/received/documents/input.ts';
import { kinds, type ReceivedKind } from '../../shared/received/documents/kinds.ts';
import { type ArrivedFile, arrivedFiles } from '../../shared/received/files/arrive.ts';
import { type Endpoint, write } from '../http/endpoint.ts';
import { upload } from '../http/files/declarations.ts';
import { copiedFromCloud } from './cloud-file.ts';
import { RAISES, receivedReply, receivedReplySchema } from './documents.ts';
import { FILE_FIELD } from './file-field.ts';

/** The fields that a document of a kind is made from. */
const inputOf = (kind: ReceivedKind) => receivedInputs[kind] as unknown as z.ZodObject;

/** The call that registers a document of a kind: with JSON alone, or by a form with its files. */
export function registration(kind: ReceivedKind): Endpoint {
  const { resource, path, title } = kinds[kind];
  const declared = {
    id: `received.${resource}.create`,
    method: 'post',
    path: `/api/v1/${path}`,
    scope: 'received:write',
    summary: `Register a ${title.en}`,
    status: 201,
    reply: receivedReplySchema(kind),
  } as const;
  const fromJson = write({
    ...declared,
    body: inputOf(kind),
    shares_commit: true,
    raises: [
      ...RAISES,
      'unsupported_media_type',
      'body_too_large',
      'insufficient_scope',
      'quarantined',
      'unavailable',
    ],
    prepare: ({ body }, before) => copiedFromCloud((body as ReceivedInput).cloud_file_id, before),
    handle: async ({ body, prepared: files }, work) => registered(work, kind, body as ReceivedInput, files),
  });
  return upload({
    ...declared,
    description:
      'As JSON, or by a form with up to ten files as `file` and the JSON as `data`. `cloud_file_id` copies a file of the ' +
      'cloud. Every field is optional: `missing` says what it still needs. What is printed counts, and is checked against ' +
      'what follows from the lines. Files are kept as they came, a damaged or locked PDF too (`warnings`). A second document ' +
      'of the sender with its number in a year is refused, as is the same file.',
    file: FILE_FIELD,
    fields: inputOf(kind),
    together: 'data',
    or: fromJson,
    raises: [...RAISES, 'unsupported_media_type'],
    inspect: async ({ fields, files, pieces, signal }) => {
      if ((fields as ReceivedInput).cloud_file_id !== undefined) throw fileBesideCloud();
      return arrivedFiles(files, pieces, signal);
    },
    handle: async ({ fields, inspected }, work) =>
      receivedReply(work, await createReceived(work, kind, fields as ReceivedInput, { files: inspected })),
  });
}

/** Registers a document with what was copied for it, which is kept with it. */
async function registered(
  work: Work,
  kind: ReceivedKind,
  input: ReceivedInput,
  files: readonly ArrivedFile[],
) {
  // What comes without files is rows alone, and systems send many at once: they are written together.
  if (files.length === 0) work.shareCommit('received');
  for (const { file } of files) await keepUploadedFile(work, { ...file, storage_key: file.storage_key! });
  return receivedReply(work, await createReceived(work, kind, input, { files }));
}

function fileBesideCloud() {
  return invalid('/file', 'conflict', {
    en: 'A file cannot stand beside cloud_file_id',
    ja: 'file は cloud_file_id と一緒には指定できません',
  });
}
