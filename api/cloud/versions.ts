import { z } from 'zod';
import { CloudFile, FileVersion } from '../../shared/cloud/files/record.ts';
import {
  contentOfVersion,
  deleteVersion,
  restoreVersion,
  updateVersion,
  versionPage,
} from '../../shared/cloud/files/versions.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { write } from '../http/endpoint.ts';
import { file } from '../http/files/declarations.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';
import { ANY, contentQuery } from './files.ts';

const PATH = '/api/v1/cloud/files/:id/versions';

const one = { params: z.strictObject({ id: id('file'), version_id: id('fver') }) };

export const versions = [
  list({
    id: 'cloud.versions.list',
    path: PATH,
    scope: 'cloud:read',
    summary: 'List the versions of a file',
    description: 'The newest first. Numbers of those that were deleted do not come again.',
    params: byId('file'),
    item: FileVersion,
    sorts: ['size_bytes'],
    handle: ({ params, window }, reader) => versionPage(reader, params.id, window),
  }),
  write({
    id: 'cloud.versions.update',
    method: 'patch',
    path: `${PATH}/:version_id`,
    scope: 'cloud:write',
    summary: 'Keep a version',
    description: 'With `keep` it is never pruned.',
    ...one,
    body: z.strictObject({ keep: FileVersion.shape.keep.optional() }),
    reply: z.strictObject({ version: FileVersion }),
    raises: ['folder_permission'],
    handle: async ({ params, body }, work) => ({
      version: await updateVersion(work, params.id, params.version_id, body),
    }),
  }),
  write({
    id: 'cloud.versions.delete',
    method: 'delete',
    path: `${PATH}/:version_id`,
    scope: 'cloud:write',
    summary: 'Delete an old version',
    description: 'The current one cannot be deleted.',
    ...one,
    reply: Deleted,
    raises: ['folder_permission', 'in_use', 'retention_active'],
    handle: async ({ params }, work) => {
      await deleteVersion(work, params.id, params.version_id);
      return deleted;
    },
  }),
  file({
    id: 'cloud.versions.content',
    path: `${PATH}/:version_id/content`,
    scope: 'cloud:read',
    summary: 'Download a version',
    description: 'As the current one is downloaded, under the name that the file has now.',
    ...one,
    query: contentQuery,
    media_types: ANY,
    raises: ['quarantined'],
    handle: ({ params, query }, reader) => contentOfVersion(reader, params.id, params.version_id, query),
  }),
  write({
    id: 'cloud.versions.restore',
    method: 'post',
    path: `${PATH}/:version_id/restore`,
    scope: 'cloud:write',
    summary: 'Restore a version',
    description: 'Its bytes become the newest version; those between stay.',
    ...one,
    reply: z.strictObject({ file: CloudFile }),
    raises: ['folder_permission', 'quarantined', 'quota_exceeded'],
    handle: async ({ params, cloud_quota_bytes }, work) => ({
      file: await restoreVersion(work, params.id, params.version_id, cloud_quota_bytes),
    }),
  }),
];
