import { z } from 'zod';
import { contentOfFile } from '../../shared/cloud/files/content.ts';
import { storeFromForm } from '../../shared/cloud/files/from-form.ts';
import { copyFile, moveFile, updateFile } from '../../shared/cloud/files/operations.ts';
import { fileById, filePage, seenFile } from '../../shared/cloud/files/queries.ts';
import {
  CloudFile,
  FileInput,
  FilePatch,
  FilePlace,
  fileKind,
  MOST_FILE_BYTES,
} from '../../shared/cloud/files/record.ts';
import { putByName, putContent } from '../../shared/cloud/files/store.ts';
import { folderIdOf, folderOrRoot } from '../../shared/cloud/items/fields.ts';
import { linkTypes } from '../../shared/cloud/links/types.ts';
import { fileNameFault, keptName } from '../../shared/cloud/names.ts';
import { trashFile } from '../../shared/cloud/trash/operations.ts';
import { placeOfBody, placeOfPath } from '../../shared/cloud/tree/place.ts';
import { invalidAll } from '../../shared/kernel/failure.ts';
import { says } from '../../shared/kernel/language.ts';
import { booleanParameter, byId, id, integerParameter } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { allowsChange } from '../http/files/conditions.ts';
import { type FileField, file, upload } from '../http/files/declarations.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';
import { admitted, type Granted } from './admission.ts';
import { CopyReply, fromRecord } from './from-record.ts';

const PATH = '/api/v1/cloud/files';

const Reply = z.strictObject({ file: CloudFile });

const one = { params: byId('file') };

const FILE: FileField = {
  field: 'file',
  limit: MOST_FILE_BYTES,
  keep: true,
  may_be_empty: true,
  takes_malware: true,
  description: 'Any file, of 5 GiB at most; behind the other fields of the form.',
};

const RAW: FileField = { ...FILE, raw: 'only', description: 'The content itself, of 5 GiB at most.' };

/** How content is handed out. */
export const contentQuery = z
  .strictObject({
    disposition: z
      .enum(['attachment', 'inline'])
      .describe('`inline` is heard for PDF, PNG, JPEG, GIF, WebP and plain text.')
      .optional(),
    redirect: booleanParameter()
      .describe(
        'Whether you are sent to the store itself where that has URLs (S3), for five minutes; as `attachment` alone.',
      )
      .optional(),
  })
  .refine(({ disposition, redirect }) => !redirect || disposition !== 'inline', {
    path: ['disposition'],
    error: says({
      en: 'must not be inline where redirect is true',
      ja: 'は redirect が true のとき inline を指定できません',
    }),
  });

/** What a browser shows of any file. */
export const ANY = ['application/octet-stream'];

const STORED = ['folder_permission', 'already_exists', 'quota_exceeded'] as const;

export const files = [
  list({
    id: 'cloud.files.list',
    path: PATH,
    scope: 'cloud:read',
    summary: 'List files',
    description:
      'Of all folders that you see, or those in `folder_id` (`root` for the root), with `recursive` in all folders below it too. `link_type` with `link_id` leaves those that belong to a record.',
    item: CloudFile,
    looked_up: fileKind,
    filters: z.object({
      folder_id: folderOrRoot().optional(),
      recursive: booleanParameter().optional(),
      search: z.string().max(200).describe('A part of the name.').optional(),
      content_type: z.string().max(200).optional(),
      extension: z.string().max(100).optional(),
      sha256: z.string().max(64).optional(),
      size_min: integerParameter(0, MOST_FILE_BYTES).optional(),
      size_max: integerParameter(0, MOST_FILE_BYTES).optional(),
      created_by: id('usr').optional(),
      link_type: z.enum(linkTypes).optional(),
      link_id: z.string().max(100).optional(),
    }),
    sorts: ['name', 'size_bytes'],
    handle: ({ filters, window }, reader) => filePage(reader, filters, window),
  }),
  upload({
    id: 'cloud.files.create',
    method: 'post',
    path: PATH,
    scope: 'cloud:write',
    summary: 'Upload a file',
    description:
      'By a form whose last field is `file`. It streams to the store, hashed on its way; a broken upload leaves nothing. With `on_conflict` `version` a file that has the name gets a new version, and the answer is 200. As JSON the file of a record is copied and linked to it: the call waits up to 15 seconds for its PDF, then it answers 202 with the job, whose `result` has `file_id`.',
    file: FILE,
    fields: FileInput,
    or: fromRecord,
    status: 201,
    also: [200, 202],
    reply: CopyReply,
    raises: [...STORED, 'unknown_reference', 'checksum_mismatch'],
    admit: ({ fields, length }, steps) =>
      admitted(steps, length, async (work) => {
        await placeOfBody(work, fields.folder_id ?? null, '/folder_id');
      }),
    handle: async ({ fields, file, granted, cloud_quota_bytes }, work) => {
      const stored = await storeFromForm(work, fields, arrived({ file, granted, cloud_quota_bytes }));
      return answerOf(stored);
    },
  }),
  upload({
    id: 'cloud.files.put',
    method: 'put',
    path: '/api/v1/cloud/folders/:id/files/:name',
    scope: 'cloud:write',
    summary: 'Put a file into a folder by its name',
    description:
      'The body is the content. The file is made (201), or gets a version (200); the bytes that it has already make none. `If-None-Match: *` only makes, `If-Match` with the ETag of the content only replaces that one.',
    params: z.strictObject({ id: folderOrRoot(), name: z.string().meta({ examples: ['見積書.pdf'] }) }),
    file: RAW,
    own_conditions: true,
    also: [201],
    reply: Reply,
    raises: [...STORED, 'precondition_failed'],
    admit: ({ params, length }, steps) =>
      admitted(steps, length, async (work) => {
        nameOfPath(params.name);
        await placeOfPath(work, folderIdOf(params.id), 'editor');
      }),
    handle: async ({ params, file, granted, conditions, cloud_quota_bytes }, work) => {
      const accepts = (etag: string | null) => allowsChange(conditions, etag);
      const folder_id = folderIdOf(params.id);
      const kept = arrived({ file, granted, cloud_quota_bytes });
      return answerOf(await putByName(work, { folder_id, name: nameOfPath(params.name) }, accepts, kept));
    },
  }),
  read({
    id: 'cloud.files.get',
    method: 'get',
    path: `${PATH}/:id`,
    scope: 'cloud:read',
    summary: 'Read what is known of a file',
    description: 'Its content is at `/content`, its versions at `/versions`.',
    ...one,
    reply: Reply,
    handle: async ({ params }, reader) => ({ file: await fileById(reader, params.id) }),
  }),
  write({
    id: 'cloud.files.update',
    method: 'patch',
    path: `${PATH}/:id`,
    scope: 'cloud:write',
    summary: 'Change what is known of a file',
    description:
      'Only the fields sent change; `links` are those that it has from then on. One to a journal, a received document or a signed one holds the file until the `retention_until` that this has then, also when the link is gone.',
    ...one,
    body: FilePatch,
    reply: Reply,
    raises: ['folder_permission', 'already_exists', 'retention_active', 'unknown_reference'],
    handle: async ({ params, body }, work) => ({ file: await updateFile(work, params.id, body) }),
  }),
  write({
    id: 'cloud.files.delete',
    method: 'delete',
    path: `${PATH}/:id`,
    scope: 'cloud:write',
    summary: 'Put a file into the trash',
    description: 'With all its versions. Its name is free from then on.',
    ...one,
    reply: Deleted,
    raises: ['folder_permission', 'retention_active'],
    handle: async ({ params }, work) => {
      await trashFile(work, params.id);
      return deleted;
    },
  }),
  file({
    id: 'cloud.files.content',
    path: `${PATH}/:id/content`,
    scope: 'cloud:read',
    summary: 'Download a file',
    description:
      'By ranges and conditions as RFC 9110 says. The ETag is the SHA-256 of the content. A browser runs nothing of what is shown `inline`.',
    ...one,
    query: contentQuery,
    media_types: ANY,
    raises: ['quarantined'],
    handle: ({ params, query }, reader) => contentOfFile(reader, params.id, query),
  }),
  upload({
    id: 'cloud.files.replace',
    method: 'put',
    path: `${PATH}/:id/content`,
    scope: 'cloud:write',
    summary: 'Put a new version of a file',
    description: 'The body is the content. The bytes that it has already make no version.',
    ...one,
    file: RAW,
    own_conditions: true,
    reply: Reply,
    raises: [...STORED, 'precondition_failed'],
    admit: ({ params, length }, steps) =>
      admitted(steps, length, async (work) => {
        await seenFile(work, params.id, 'editor');
      }),
    handle: async ({ params, file, granted, conditions, cloud_quota_bytes }, work) => {
      const accepts = (etag: string | null) => allowsChange(conditions, etag);
      const stored = await putContent(
        work,
        params.id,
        accepts,
        arrived({ file, granted, cloud_quota_bytes }),
      );
      return { file: stored.file };
    },
  }),
  write({
    id: 'cloud.files.move',
    method: 'post',
    path: `${PATH}/:id/move`,
    scope: 'cloud:write',
    summary: 'Move a file',
    description: 'To another folder, under another name, or both. One that is there already stays as it is.',
    ...one,
    body: FilePlace,
    reply: Reply,
    raises: ['unknown_reference', 'folder_permission', 'retention_active', 'already_exists'],
    handle: async ({ params, body }, work) => ({ file: await moveFile(work, params.id, body) }),
  }),
  write({
    id: 'cloud.files.copy',
    method: 'post',
    path: `${PATH}/:id/copy`,
    scope: 'cloud:write',
    // Whoever may read the folder that it goes to reads the copy, which a key that may not read cannot decide.
    domain_scope: 'cloud:read',
    summary: 'Copy a file',
    description:
      'No byte is copied, and the quota counts it again. Links, keys and the hold stay with the original.',
    ...one,
    body: FilePlace,
    status: 201,
    reply: Reply,
    raises: ['unknown_reference', ...STORED],
    handle: async ({ params, body, cloud_quota_bytes }, work) =>
      answerOf({ file: await copyFile(work, params.id, body, cloud_quota_bytes), is_new: true }),
  }),
];

/** A name in a path. Errors: `validation_failed`. */
function nameOfPath(sent: string): string {
  const name = keptName(sent);
  const fault = fileNameFault(name);
  if (fault) throw invalidAll([{ in: 'path', path: '/name', ...fault }]);
  return name;
}

type Kept = {
  file: Parameters<typeof storeFromForm>[2]['file'];
  granted: Granted;
  cloud_quota_bytes: number;
};

function arrived({ file, granted, cloud_quota_bytes }: Kept) {
  granted?.stop();
  return { file, reservation: granted, installation_bytes: cloud_quota_bytes };
}

function answerOf({ file, is_new }: { file: CloudFile; is_new: boolean }) {
  const Location = `${PATH}/${file.id}`;
  return is_new ? new Answer(201, { file }, { Location }) : new Answer(200, { file });
}
