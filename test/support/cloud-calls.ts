import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { tusOf } from './tus.ts';
import { formWith } from './uploads.ts';

type Call = { path: string; body?: unknown };

async function file(client: Client): Promise<string> {
  const { status, body, text } = await client.post('/cloud/files', formWith('one', { name: 'a.txt' }));
  assert.equal(status, 201, text);
  return body.file.id;
}

async function folder(client: Client): Promise<string> {
  return (await client.post('/cloud/folders', { name: '2026' })).body.folder.id;
}

/** An upload whose folder has gone before its last byte came. */
async function failedUpload(client: Client): Promise<string> {
  const folder_id = await folder(client);
  const tus = tusOf(client);
  const id = await tus.begin(3, { filename: 'a.txt', folder_id });
  await client.delete(`/cloud/folders/${folder_id}`);
  assert.equal((await tus.patch(id, 0, 'abc')).status, 422);
  return id;
}

/** A call that succeeds, for every POST of the cloud. */
export const cloudCalls: Record<string, (client: Client) => Promise<Call>> = {
  'cloud.folders.create': async () => ({ path: '/cloud/folders', body: { name: '契約書' } }),
  'cloud.files.create': async () => ({ path: '/cloud/files', body: formWith('abc', { name: 'b.txt' }) }),
  'cloud.files.move': async (client) => ({
    path: `/cloud/files/${await file(client)}/move`,
    body: { folder_id: await folder(client) },
  }),
  'cloud.files.copy': async (client) => ({
    path: `/cloud/files/${await file(client)}/copy`,
    body: { folder_id: await folder(client) },
  }),
  'cloud.versions.restore': async (client) => {
    const id = await file(client);
    await client.send('PUT', `/cloud/files/${id}/content`, 'two', { 'Content-Type': 'text/plain' });
    const { items } = (await client.get(`/cloud/files/${id}/versions`)).body;
    return { path: `/cloud/files/${id}/versions/${items.at(-1).id}/restore` };
  },
  'cloud.trash.restore': async (client) => {
    const id = await file(client);
    await client.delete(`/cloud/files/${id}`);
    return { path: `/cloud/trash/${id}/restore`, body: {} };
  },
  'cloud.shares.create': async (client) => ({
    path: '/cloud/shares',
    body: { file_id: await file(client), password: 'quiet-river-42', max_downloads: 10 },
  }),
  'cloud.folders.archive': async () => ({ path: '/cloud/folders/root/archive' }),
  'cloud.uploads.complete': async (client) => ({
    path: `/cloud/uploads/${await failedUpload(client)}/complete`,
    body: {},
  }),
  'cloud.files.verify': async () => ({ path: '/cloud/verify' }),
  'cloud.batch': async (client) => ({
    path: '/cloud/batch',
    body: { action: 'trash', ids: [await file(client), await folder(client)] },
  }),
};
