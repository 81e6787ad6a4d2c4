import { z } from 'zod';
import { CloudFile, MOST_FILE_BYTES } from '../../shared/cloud/files/record.ts';
import { abortUpload, completeElsewhere } from '../../shared/cloud/uploads/finish.ts';
import { isOwn, lockUpload, uploadById, uploadPage } from '../../shared/cloud/uploads/queries.ts';
import {
  CloudUpload,
  UploadPlace,
  type UploadRow,
  uploadStatuses,
} from '../../shared/cloud/uploads/record.ts';
import { lockTurn } from '../../shared/cloud/uploads/turns.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { type Transfer, transfer } from '../http/files/declarations.ts';
import { list } from '../http/list.ts';
import type { Caller } from '../http/request.ts';
import { beginUpload } from './uploads/begin.ts';
import { lookAtUpload, receivePiece } from './uploads/receive.ts';
import { inUpload, takeTurn } from './uploads/turn.ts';
import { ABILITIES, headers, methodMeant, offsetOf, PIECE, progressOf, speaking } from './uploads/tus.ts';

const PATH = '/api/v1/cloud/uploads';

const one = { path: `${PATH}/:id`, params: byId('upl') };

const REFUSED = [
  'unknown_reference',
  'folder_permission',
  'already_exists',
  'quota_exceeded',
  'checksum_mismatch',
  'upload_locked',
  'tus_version',
] as const;

const takes = {
  media_types: [PIECE],
  limit: MOST_FILE_BYTES,
  description: 'The bytes from the offset on.',
};

const PROGRESS = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires', 'Cloud-File-Id'] as const;

/** What one does with an upload, by the methods of the protocol. */
const calls = {
  async HEAD(steps: Transfer, id: string) {
    const row = await lookAtUpload(steps, id);
    return new Answer(200, null, {
      ...progressOf(row),
      'Upload-Length': String(row.size_bytes),
      ...(row.upload_metadata && { 'Upload-Metadata': row.upload_metadata }),
    });
  },
  async PATCH(steps: Transfer, id: string) {
    return new Answer(204, null, progressOf(await receivePiece(steps, id, offsetOf(steps))));
  },
  async DELETE(steps: Transfer, id: string) {
    await endUpload(steps, id);
    return new Answer(204, null);
  },
};

export const uploads = [
  transfer({
    id: 'cloud.uploads.options',
    method: 'options',
    path: PATH,
    scope: 'public',
    summary: 'Tell what resumable uploads can do',
    description: 'By tus 1.0.0 (https://tus.io/protocols/resumable-upload).',
    tells: headers('Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size'),
    status: 204,
    handle: async () => new Answer(204, null, ABILITIES),
  }),
  transfer({
    id: 'cloud.uploads.create',
    method: 'post',
    path: PATH,
    scope: 'cloud:write',
    summary: 'Begin a resumable upload',
    description:
      'By tus 1.0.0, with the first bytes as its body where there are any. The room of the whole file is reserved until the upload ends. `on_conflict` `fail` refuses a name that is taken now; one that is taken later gets a number. A person may have 100 uploads that are not completed.',
    takes: { ...takes, description: 'The first bytes, or nothing.' },
    hears: headers('Tus-Resumable', 'Upload-Length', 'Upload-Metadata'),
    tells: headers('Tus-Resumable', 'Location', 'Upload-Offset', 'Upload-Expires', 'Cloud-File-Id'),
    status: 201,
    raises: [...REFUSED, 'limit_reached'],
    handle: (_, steps) =>
      speaking(steps, async () => {
        const row = await beginUpload(steps);
        return new Answer(201, null, { Location: `${PATH}/${row.id}`, ...progressOf(row) });
      }),
  }),
  list({
    id: 'cloud.uploads.list',
    path: PATH,
    scope: 'cloud:read',
    summary: 'List resumable uploads',
    description: 'Your own; the owner and admins see those of all. Ended ones are listed for 7 days.',
    item: CloudUpload,
    filters: z.object({ status: z.enum(uploadStatuses).optional() }),
    sorts: ['name', 'size_bytes'],
    handle: ({ filters, window }, reader) => uploadPage(reader, filters, window),
  }),
  transfer({
    ...one,
    id: 'cloud.uploads.offset',
    method: 'head',
    scope: 'cloud:write',
    summary: 'Tell how far an upload has come',
    description:
      'By tus 1.0.0. Another request that sends bytes just now is ended, and what came of it counts. Only who began an upload continues it.',
    hears: headers('Tus-Resumable'),
    tells: headers(...PROGRESS, 'Upload-Length', 'Upload-Metadata'),
    status: 200,
    raises: [...REFUSED, 'expired'],
    handle: ({ params }, steps) => speaking(steps, () => calls.HEAD(steps, params.id)),
  }),
  read({
    ...one,
    id: 'cloud.uploads.get',
    method: 'get',
    scope: 'cloud:read',
    summary: 'Read an upload',
    description: 'One of your own; the owner and admins read those of all.',
    reply: z.strictObject({ upload: CloudUpload }),
    handle: async ({ params }, reader) => ({ upload: await uploadById(reader, params.id) }),
  }),
  transfer({
    ...one,
    id: 'cloud.uploads.append',
    method: 'patch',
    scope: 'cloud:write',
    summary: 'Add bytes to an upload',
    description:
      'By tus 1.0.0. Whatever arrives before a line breaks counts; any process takes the next bytes. The last ones make the file: `Cloud-File-Id` names it, or a worker reads the bytes once and HEAD names it then.',
    takes,
    hears: headers('Tus-Resumable', 'Upload-Offset'),
    tells: headers(...PROGRESS),
    status: 204,
    raises: [...REFUSED, 'expired', 'offset_mismatch'],
    handle: ({ params }, steps) => speaking(steps, () => calls.PATCH(steps, params.id)),
  }),
  transfer({
    ...one,
    id: 'cloud.uploads.delete',
    method: 'delete',
    scope: 'cloud:write',
    summary: 'End an upload',
    description:
      'By tus 1.0.0: one of your own; the owner and admins end those of all. Bytes and room are freed.',
    hears: headers('Tus-Resumable'),
    tells: headers('Tus-Resumable'),
    status: 204,
    raises: ['expired', 'upload_locked', 'tus_version'],
    handle: ({ params }, steps) => speaking(steps, () => calls.DELETE(steps, params.id)),
  }),
  transfer({
    ...one,
    id: 'cloud.uploads.post',
    method: 'post',
    scope: 'cloud:write',
    summary: 'Call an upload by POST',
    description:
      'By tus 1.0.0, where something on the way lets neither PATCH, HEAD nor DELETE pass: the header `X-HTTP-Method-Override` names the one that is meant.',
    takes: { ...takes, description: 'What the method that is meant takes.' },
    hears: headers('Tus-Resumable', 'X-HTTP-Method-Override', 'Upload-Offset'),
    tells: headers(...PROGRESS, 'Upload-Length', 'Upload-Metadata'),
    status: 204,
    also: [200],
    raises: [...REFUSED, 'expired', 'offset_mismatch'],
    handle: ({ params }, steps) => speaking(steps, () => calls[methodMeant(steps)](steps, params.id)),
  }),
  write({
    id: 'cloud.uploads.complete',
    method: 'post',
    path: `${PATH}/:id/complete`,
    params: byId('upl'),
    scope: 'cloud:write',
    summary: 'Save a failed upload elsewhere',
    description:
      'Where the folder of an upload is gone, or the right to it, its bytes stay for 24 hours: this makes them a file in another folder, or under another name.',
    body: UploadPlace,
    reply: z.strictObject({ file: CloudFile }),
    raises: ['expired', 'invalid_transition', 'unknown_reference', 'folder_permission', 'already_exists'],
    handle: async ({ params, body, cloud_quota_bytes }, work) => ({
      file: await completeElsewhere(work, params.id, body, cloud_quota_bytes),
    }),
  }),
];

/** Errors: `not_found`, `upload_locked`, `expired` where there is nothing to end. */
async function endUpload(steps: Transfer, id: string): Promise<void> {
  const mayEnd = (row: UploadRow) => isOwn(steps.caller, row) || seesAll(steps.caller);
  const { turn } = await takeTurn(steps, id, mayEnd);
  try {
    await inUpload(steps, async (work) =>
      abortUpload(work, turn ? await lockTurn(work, id, turn.writer) : await lockUpload(work, id)),
    );
    turn?.left();
  } catch (error) {
    await turn?.giveBack(null).catch(() => undefined);
    throw error;
  }
}

function seesAll({ actor }: Caller): boolean {
  return actor.role === 'owner' || actor.role === 'admin';
}
