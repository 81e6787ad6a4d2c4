import { z } from 'zod';
import { BatchInput, runCloudBatch } from '../../shared/cloud/batch/operations.ts';
import { itemId } from '../../shared/cloud/items/fields.ts';
import { emptyTrash, purgeItem, restoreItem } from '../../shared/cloud/trash/operations.ts';
import { trashPage } from '../../shared/cloud/trash/queries.ts';
import { CloudItem, RestoreInput, TrashItem } from '../../shared/cloud/trash/record.ts';
import { write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted, JobReply } from '../http/schemas.ts';

const PATH = '/api/v1/cloud/trash';

const one = { params: z.strictObject({ id: itemId() }) };

export const trash = [
  list({
    id: 'cloud.trash.list',
    path: PATH,
    scope: 'cloud:read',
    summary: 'List the trash',
    description: 'What was put there and whose place you see; what was put there last comes first.',
    item: TrashItem,
    sorts: ['trashed_at', 'name', 'size_bytes'],
    handle: ({ window }, reader) => trashPage(reader, window),
  }),
  write({
    id: 'cloud.trash.restore',
    method: 'post',
    path: `${PATH}/:id/restore`,
    scope: 'cloud:write',
    summary: 'Restore from the trash',
    description:
      'To where it was, or to the root where that is gone or in the trash, unless `folder_id` says where.',
    ...one,
    body: RestoreInput,
    reply: z.strictObject({ item: CloudItem }),
    raises: ['unknown_reference', 'folder_permission', 'too_deep', 'retention_active', 'already_exists'],
    handle: async ({ params, body }, work) => ({ item: await restoreItem(work, params.id, body) }),
  }),
  write({
    id: 'cloud.trash.purge',
    method: 'delete',
    path: `${PATH}/:id`,
    scope: 'cloud:write',
    summary: 'Purge from the trash',
    description: 'For good, with all below it: its rows and bytes go soon after the answer.',
    ...one,
    reply: Deleted,
    raises: ['folder_permission', 'retention_active'],
    handle: async ({ params }, work) => {
      await purgeItem(work, params.id);
      return deleted;
    },
  }),
  write({
    id: 'cloud.trash.empty',
    method: 'delete',
    path: PATH,
    scope: 'cloud:write',
    summary: 'Empty the trash',
    description: 'A job purges what you may purge of what is there now.',
    status: 202,
    reply: JobReply,
    handle: async (_, work) => ({ job: emptyTrash(work) }),
  }),
  write({
    id: 'cloud.batch',
    method: 'post',
    path: '/api/v1/cloud/batch',
    scope: 'cloud:write',
    summary: 'Move, trash or restore many',
    description: 'All or none: a refusal names in `id` what it is about.',
    body: BatchInput,
    reply: z.strictObject({ items: z.array(CloudItem) }),
    raises: [
      'not_found',
      'unknown_reference',
      'folder_permission',
      'folder_cycle',
      'too_deep',
      'retention_active',
      'already_exists',
    ],
    handle: async ({ body }, work) => ({ items: await runCloudBatch(work, body) }),
  }),
];
