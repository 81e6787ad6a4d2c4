import { z } from 'zod';
import { folderAccess, setFolderAccess } from '../../shared/cloud/access/operations.ts';
import { FolderAccess, FolderAccessInput } from '../../shared/cloud/access/record.ts';
import { archiveFolder } from '../../shared/cloud/archive/operations.ts';
import { CloudFile } from '../../shared/cloud/files/record.ts';
import { createFolder, updateFolder } from '../../shared/cloud/folders/operations.ts';
import { childrenPage, folderById, folderPage, usageBelow } from '../../shared/cloud/folders/queries.ts';
import { Folder, FolderInput, FolderPatch, folderKind } from '../../shared/cloud/folders/record.ts';
import { folderIdOf, folderOrRoot } from '../../shared/cloud/items/fields.ts';
import { trashFolder } from '../../shared/cloud/trash/operations.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted, JobReply } from '../http/schemas.ts';

const PATH = '/api/v1/cloud/folders';

const Reply = z.strictObject({ folder: Folder });

const AccessReply = z.strictObject({ access: FolderAccess });

const one = { params: byId('fold') };

/** A folder, or the root. */
const oneOrRoot = { params: z.strictObject({ id: folderOrRoot() }) };

export const folders = [
  list({
    id: 'cloud.folders.list',
    path: PATH,
    scope: 'cloud:read',
    summary: 'List folders',
    description: 'Of all levels, or those directly in `parent_id` (`root` for the root). Those that you see.',
    item: Folder,
    looked_up: folderKind,
    filters: z.object({
      parent_id: folderOrRoot().optional(),
      search: z.string().max(200).describe('A part of the name.').optional(),
    }),
    sorts: ['name'],
    handle: ({ filters, window }, reader) => folderPage(reader, filters, window),
  }),
  write({
    id: 'cloud.folders.create',
    method: 'post',
    path: PATH,
    scope: 'cloud:write',
    summary: 'Make a folder',
    description:
      'Names are unique in their place, folders and files together, in small letters: `Report` and `report` are one. With `on_conflict` `existing` the folder that has the name is answered with 200, to who has `cloud:read` and sees it.',
    body: FolderInput,
    status: 201,
    also: [200],
    reply: Reply,
    raises: ['unknown_reference', 'folder_permission', 'too_deep', 'already_exists'],
    handle: async ({ body }, work) => {
      const { folder, is_new } = await createFolder(work, body);
      return is_new ? { folder } : new Answer(200, { folder });
    },
  }),
  read({
    id: 'cloud.folders.get',
    method: 'get',
    path: `${PATH}/:id`,
    scope: 'cloud:read',
    summary: 'Read a folder',
    description: 'With what you may do with it, and the folders above that you see.',
    ...one,
    reply: Reply,
    handle: async ({ params }, reader) => ({ folder: await folderById(reader, params.id) }),
  }),
  write({
    id: 'cloud.folders.update',
    method: 'patch',
    path: `${PATH}/:id`,
    scope: 'cloud:write',
    summary: 'Change or move a folder',
    description:
      'Only the fields sent change. `parent_id` moves it with all below it, in one row: of two moves that would close a circle one is 409 `folder_cycle`.',
    ...one,
    body: FolderPatch,
    reply: Reply,
    raises: [
      'unknown_reference',
      'folder_permission',
      'folder_cycle',
      'too_deep',
      'retention_active',
      'already_exists',
    ],
    handle: async ({ params, body }, work) => ({ folder: await updateFolder(work, params.id, body) }),
  }),
  write({
    id: 'cloud.folders.delete',
    method: 'delete',
    path: `${PATH}/:id`,
    scope: 'cloud:write',
    summary: 'Put a folder into the trash',
    description: 'With all below it, in one row. Its name is free from then on.',
    ...one,
    reply: Deleted,
    raises: ['folder_permission', 'retention_active'],
    handle: async ({ params }, work) => {
      await trashFolder(work, params.id);
      return deleted;
    },
  }),
  list({
    id: 'cloud.folders.children',
    path: `${PATH}/:id/children`,
    scope: 'cloud:read',
    summary: 'List what is in a folder',
    description: 'Folders, then files, by name, unless another order is asked for.',
    ...oneOrRoot,
    item: z.union([Folder, CloudFile]),
    sorts: ['name', 'size_bytes'],
    handle: ({ params, window }, reader) => childrenPage(reader, params.id, window),
  }),
  read({
    id: 'cloud.folders.usage',
    method: 'get',
    path: `${PATH}/:id/usage`,
    scope: 'cloud:read',
    summary: 'Sum what is below a folder',
    description: 'All levels of it, as you see them: current versions alone.',
    ...oneOrRoot,
    reply: z.strictObject({
      usage: z
        .strictObject({
          folder_count: z.int().meta({ examples: [2] }),
          file_count: z.int().meta({ examples: [14] }),
          size_bytes: z.int().meta({ examples: [682_112] }),
        })
        .meta({ id: 'CloudFolderUsage' }),
    }),
    handle: async ({ params }, reader) => ({ usage: await usageBelow(reader, params.id) }),
  }),
  write({
    id: 'cloud.folders.archive',
    method: 'post',
    path: `${PATH}/:id/archive`,
    scope: 'cloud:read',
    status: 202,
    summary: 'Put a folder into a zip',
    description:
      'A worker puts what you see of it into a zip (ZIP64 where it is large), which is at `/api/v1/jobs/{id}/file` when the job has succeeded, for 7 days. Quarantined contents are left out, and counted in `result`.',
    ...oneOrRoot,
    reply: JobReply,
    handle: async ({ params }, work) => ({ job: await archiveFolder(work, folderIdOf(params.id)) }),
  }),
  read({
    id: 'cloud.folders.access',
    method: 'get',
    path: `${PATH}/:id/access`,
    scope: 'cloud:read',
    summary: 'Read who sees a folder',
    description:
      'For who manages it. An inherited one has no grants of its own: the nearest restricted folder above decides.',
    ...one,
    reply: AccessReply,
    raises: ['folder_permission'],
    handle: async ({ params }, reader) => ({ access: await folderAccess(reader, params.id) }),
  }),
  write({
    id: 'cloud.folders.restrict',
    method: 'put',
    path: `${PATH}/:id/access`,
    scope: 'cloud:write',
    summary: 'Set who sees a folder',
    description:
      'A restricted folder begins anew: of those above nothing counts in it. Who restricts it manages it from then on.',
    ...one,
    body: FolderAccessInput,
    reply: AccessReply,
    raises: ['folder_permission', 'unknown_reference'],
    handle: async ({ params, body }, work) => ({ access: await setFolderAccess(work, params.id, body) }),
  }),
];
