import { z } from 'zod';
import { createShare, revokeShare, updateShare } from '../../shared/cloud/shares/operations.ts';
import { shareById, sharePage } from '../../shared/cloud/shares/queries.ts';
import { Share, ShareInput, SharePatch } from '../../shared/cloud/shares/record.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { hashPassword } from '../../shared/platform/access/passwords.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const PATH = '/api/v1/cloud/shares';

const Reply = z.strictObject({ share: Share });

const one = { params: byId('shr') };

/** The password that is sent by its hash: null takes it away, undefined leaves the one that is there. */
async function hashed({ body: { password } }: { body: { password?: string | null | undefined } }) {
  return password ? hashPassword(password) : password;
}

export const shares = [
  list({
    id: 'cloud.shares.list',
    path: PATH,
    scope: 'cloud:read',
    summary: 'List shares',
    description:
      'Of the folders and files that you see, those that have ended too. One of something in the trash is listed again when that is restored; by its ID it can be read and taken back meanwhile.',
    item: Share,
    filters: z.object({ file_id: id('file').optional(), folder_id: id('fold').optional() }),
    handle: ({ filters, window }, reader) => sharePage(reader, filters, window),
  }),
  write({
    id: 'cloud.shares.create',
    method: 'post',
    path: PATH,
    scope: 'cloud:write',
    // Whoever has the address reads: a key that may not read must not make one.
    domain_scope: 'cloud:read',
    summary: 'Share a file or a folder',
    description:
      'With everybody who has its address: `url` is answered this once, since its token is kept by its hash alone. A folder shows what is below it now, without restricted folders. It ends at `expires_at`, after `max_downloads`, when it is taken back, with what it shows, and when who made it leaves or may not change that any more.',
    body: ShareInput,
    status: 201,
    reply: z.strictObject({
      share: Share,
      url: z
        .string()
        .describe('The page of the share. null where the answer is repeated.')
        .meta({ examples: [`https://service.example.co.jp/s/${'3f'.repeat(32)}/`] }),
    }),
    secrets: ['url'],
    raises: ['unknown_reference', 'folder_permission', 'shares_disabled'],
    prepare: hashed,
    handle: async ({ body: { password: _, ...terms }, prepared: password_hash, base_url }, work) =>
      createShare(work, { ...terms, password_hash }, { base_url }),
  }),
  read({
    id: 'cloud.shares.get',
    method: 'get',
    path: `${PATH}/:id`,
    scope: 'cloud:read',
    summary: 'Read a share',
    description: 'With how often something was downloaded; the audit log has each of these downloads.',
    ...one,
    reply: Reply,
    handle: async ({ params }, reader) => ({ share: await shareById(reader, params.id) }),
  }),
  write({
    id: 'cloud.shares.update',
    method: 'patch',
    path: `${PATH}/:id`,
    scope: 'cloud:write',
    summary: 'Change the terms of a share',
    description:
      'Only the fields sent change; its address stays. Another password ends what guests opened with the one before.',
    ...one,
    body: SharePatch,
    reply: Reply,
    raises: ['folder_permission'],
    prepare: hashed,
    handle: async ({ params, body: { password: _, ...terms }, prepared: password_hash }, work) => ({
      share: await updateShare(work, params.id, { ...terms, password_hash }),
    }),
  }),
  write({
    id: 'cloud.shares.delete',
    method: 'delete',
    path: `${PATH}/:id`,
    scope: 'cloud:write',
    summary: 'Take a share back',
    description:
      'For good, at once, also while what it shows is in the trash. It stays in the list with `revoked_at`.',
    ...one,
    reply: Deleted,
    raises: ['folder_permission'],
    handle: async ({ params }, work) => {
      await revokeShare(work, params.id);
      return deleted;
    },
  }),
];
