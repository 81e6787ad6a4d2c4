import { z } from 'zod';
import { findCloudSettings, updateCloudSettings } from '../../shared/cloud/settings/operations.ts';
import { CloudSettings, CloudSettingsPatch } from '../../shared/cloud/settings/record.ts';
import { CloudUsage, cloudUsage } from '../../shared/cloud/usage/record.ts';
import { verifyFiles } from '../../shared/cloud/verify/operations.ts';
import { read, write } from '../http/endpoint.ts';
import { JobReply } from '../http/schemas.ts';

const PATH = '/api/v1/cloud/settings';

const Reply = z.strictObject({ settings: CloudSettings });

export const settings = [
  read({
    id: 'cloud.usage.get',
    method: 'get',
    path: '/api/v1/cloud/usage',
    scope: 'cloud:read',
    summary: 'Read what the organization keeps',
    description: 'Of all files, whoever sees them.',
    reply: z.strictObject({ usage: CloudUsage }),
    handle: async ({ cloud_quota_bytes }, reader) => ({ usage: await cloudUsage(reader, cloud_quota_bytes) }),
  }),
  write({
    id: 'cloud.files.verify',
    method: 'post',
    path: '/api/v1/cloud/verify',
    scope: 'cloud:write',
    status: 202,
    summary: 'Verify all files',
    description:
      'A worker reads every version again and compares its SHA-256, for owner and admins. `result` of the job has `checked`, `bad_count` and the first 1,000 `bad[]`: versions whose bytes are gone (`file_missing`) or others (`file_changed`), or cannot be read (`file_unreadable`, which says nothing of the bytes). What was stored before there was a scanner is `pending` from then on, and scanned soon.',
    reply: JobReply,
    raises: ['folder_permission'],
    handle: async (_, work) => ({ job: verifyFiles(work) }),
  }),
  read({
    id: 'cloud.settings.get',
    method: 'get',
    path: PATH,
    scope: 'cloud:read',
    summary: 'Read the settings of the cloud',
    description: 'An organization that has changed nothing has the defaults.',
    reply: Reply,
    handle: async (_, reader) => ({ settings: await findCloudSettings(reader) }),
  }),
  write({
    id: 'cloud.settings.update',
    method: 'patch',
    path: PATH,
    scope: 'settings:write',
    summary: 'Change the settings of the cloud',
    description: 'Only the fields sent change.',
    body: CloudSettingsPatch,
    reply: Reply,
    handle: async ({ body }, work) => ({ settings: await updateCloudSettings(work, body) }),
  }),
];
