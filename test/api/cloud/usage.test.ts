import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purgeTrash } from '../../../shared/cloud/trash/purge.ts';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { tusOf } from '../../support/tus.ts';

const app = await startApp();
const { signal } = new AbortController();

test('what an organization keeps is told by its parts, of its own files alone', async () => {
  const other = await newOffice(app);
  await other.file('other.txt', 'x'.repeat(1_000));
  const office = await newOffice(app);
  const kept = async () => {
    const { object: _, quota_bytes: __, ...usage } = (await office.get('/cloud/usage')).body.usage;
    return Object.values(usage);
  };
  const parts = ['used_bytes', 'reserved_bytes', 'trash_bytes', 'old_version_bytes', 'file_count'];
  const { usage } = (await office.get('/cloud/usage')).body;
  assert.deepEqual(Object.keys(usage), ['object', 'quota_bytes', ...parts]);
  assert.equal(usage.quota_bytes, 10 * 1024 ** 3);
  assert.deepEqual(await kept(), [0, 0, 0, 0, 0]);

  const folder = await office.folder('folder');
  const inner = await office.folder('inner', folder.id);
  const file = await office.file('a.txt', 'x'.repeat(10), inner.id);
  await office.store('a.txt', 'x'.repeat(3), inner.id);
  await office.file('b.txt', 'x'.repeat(100));
  await office.post(`/cloud/files/${file.id}/copy`, { folder_id: null });
  assert.deepEqual(await kept(), [116, 0, 0, 10, 3]);

  const upload = await tusOf(office).begin(50);
  assert.deepEqual(await kept(), [116, 50, 0, 10, 3]);
  await tusOf(office).end(upload);

  await office.delete(`/cloud/folders/${folder.id}`);
  assert.deepEqual(await kept(), [116, 0, 13, 10, 2]);
  await office.delete(`/cloud/trash/${folder.id}`);
  await purgeTrash(app.database, new Date(), signal);
  assert.deepEqual(await kept(), [103, 0, 0, 0, 2]);
});
