import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { purgeTrash } from '../../../shared/cloud/trash/purge.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';

const app = await startApp();

const DAY = 24 * 60 * 60_000;
const sweep = (days = 0) =>
  purgeTrash(app.database, new Date(Date.now() + days * DAY), new AbortController().signal);

/** Names in the trash, as a member sees it. */
async function inTrash(office: Office): Promise<string[]> {
  const { body } = await office.get('/cloud/trash?sort=name');
  return body.items.map(({ name }: { name: string }) => name);
}

async function rowsOf({ organization_id }: Office): Promise<number> {
  const [found] = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ count: number }>('SELECT count(*)::int AS count FROM cloud_items WHERE organization_id = $1', [
      organization_id,
    ]),
  );
  return found!.count;
}

async function usedBytes(office: Office): Promise<number> {
  return (await office.get('/cloud/usage')).body.usage.used_bytes;
}

/**
 * A top folder in the trash and given up; in `top/middle` a file and a folder with a file of its own were put there before,
 * beside a file and an empty folder that went with the top.
 */
async function purgedTree(office: Office) {
  const top = await office.folder('top');
  const middle = await office.folder('middle', top.id);
  const file = await office.file('file', 'abc', middle.id);
  const folder = await office.folder('folder', middle.id);
  const inner = await office.file('inner', 'inner', folder.id);
  await office.file('gone', 'gone with the top', middle.id);
  await office.folder('empty', middle.id);
  await office.delete(`/cloud/files/${file.id}`);
  await office.delete(`/cloud/folders/${folder.id}`);
  await office.delete(`/cloud/folders/${top.id}`);
  assert.equal((await office.delete(`/cloud/trash/${top.id}`)).status, 200);
  return { top, middle, file, folder, inner };
}

describe('what was trashed by itself below a purged folder', () => {
  test('stays in the trash, and comes back to the root', async () => {
    const office = await newOffice(app);
    const { top, middle, file, folder, inner } = await purgedTree(office);
    assert.equal(await sweep(), 1);
    assert.deepEqual([await rowsOf(office), await usedBytes(office)], [5, 8]);
    assert.equal(await sweep(), 0);
    assert.deepEqual(await inTrash(office), ['file', 'folder']);
    assert.equal((await office.post(`/cloud/trash/${top.id}/restore`, {})).status, 404);
    for (const { id } of [top, middle]) {
      assert.equal((await office.get(`/cloud/folders/${id}`)).status, 404);
      const { body } = await office.post(`/cloud/trash/${file.id}/restore`, { folder_id: id });
      assert.equal(body.code, 'unknown_reference');
    }
    const back = await office.post(`/cloud/trash/${file.id}/restore`, {});
    assert.deepEqual([back.status, back.body.item.folder_id], [200, null]);
    assert.equal(await sweep(), 0);
    assert.equal(await rowsOf(office), 5);
    const { body } = await office.post(`/cloud/trash/${folder.id}/restore`, {});
    assert.deepEqual([body.item.parent_id, body.item.file_count], [null, 1]);
    assert.equal((await office.get(`/cloud/files/${inner.id}/content`)).text, 'inner');
    await sweep();
    assert.deepEqual([await rowsOf(office), await usedBytes(office)], [3, 8]);
  });

  test('comes back also before the rows of the folder went', async () => {
    const office = await newOffice(app);
    const { file, inner, folder } = await purgedTree(office);
    assert.equal((await office.post(`/cloud/trash/${file.id}/restore`, {})).body.item.folder_id, null);
    await sweep();
    assert.equal((await office.get(`/cloud/files/${file.id}/content`)).text, 'abc');
    assert.equal((await office.delete(`/cloud/trash/${folder.id}`)).status, 200);
    await sweep();
    assert.equal((await office.get(`/cloud/files/${inner.id}`)).status, 404);
    assert.deepEqual([await rowsOf(office), await usedBytes(office)], [1, 3]);
  });

  test('is purged by hand, and by its own days, and the emptied folders with it', async () => {
    const office = await newOffice(app);
    const { file } = await purgedTree(office);
    await sweep();
    assert.equal((await office.delete(`/cloud/trash/${file.id}`)).status, 200);
    assert.equal(await sweep(29), 1);
    assert.deepEqual(await inTrash(office), ['folder']);
    assert.deepEqual([await rowsOf(office), await usedBytes(office)], [4, 5]);
    assert.equal(await sweep(31), 1);
    assert.deepEqual([await rowsOf(office), await usedBytes(office)], [0, 0]);
  });

  test('goes by its days together with the folder above it', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('folder');
    const file = await office.file('file', 'abc', folder.id);
    await office.delete(`/cloud/files/${file.id}`);
    await office.delete(`/cloud/folders/${folder.id}`);
    assert.equal(await sweep(31), 2);
    assert.deepEqual([await rowsOf(office), await usedBytes(office)], [0, 0]);
  });

  test('outlives purged folders one below the other', async () => {
    const office = await newOffice(app);
    const { folder: top, file } = await purgedTree(office);
    await office.post(`/cloud/trash/${file.id}/restore`, {});
    await office.post(`/cloud/trash/${top.id}/restore`, {});
    const lower = await office.folder('lower', top.id);
    const deep = await office.file('deep', 'deep', lower.id);
    for (const path of [`files/${deep.id}`, `folders/${lower.id}`, `folders/${top.id}`]) {
      assert.equal((await office.delete(`/cloud/${path}`)).status, 200);
    }
    await office.delete(`/cloud/trash/${top.id}`);
    await sweep();
    await office.delete(`/cloud/trash/${lower.id}`);
    await sweep();
    assert.deepEqual(await inTrash(office), ['deep']);
    const back = await office.post(`/cloud/trash/${deep.id}/restore`, {});
    assert.equal(back.body.item.folder_id, null);
    await sweep();
    assert.deepEqual([await rowsOf(office), await usedBytes(office)], [2, 7]);
  });

  test('is seen and restored as before by those alone who have a grant for its old place', async () => {
    const owner = await newOffice(app);
    const [manager, editor, stranger] = [
      await owner.colleague(),
      await owner.colleague(),
      await owner.colleague(),
    ];
    const top = await owner.folder('secret');
    const middle = await owner.folder('middle', top.id);
    const file = await owner.file('plan', 'plan', middle.id);
    const grants = [
      { type: 'user', id: manager.user_id, role: 'manager' },
      { type: 'user', id: editor.user_id, role: 'editor' },
    ];
    await owner.put(`/cloud/folders/${top.id}/access`, { mode: 'restricted', grants });
    await owner.delete(`/cloud/files/${file.id}`);
    await owner.delete(`/cloud/folders/${top.id}`);
    await owner.delete(`/cloud/trash/${top.id}`);
    await sweep();
    for (const office of [owner, manager, editor]) assert.deepEqual(await inTrash(office), ['plan']);
    assert.deepEqual(await inTrash(stranger), []);
    const restoredBy = async (office: Office) =>
      (await office.post(`/cloud/trash/${file.id}/restore`, {})).status;
    assert.equal((await stranger.delete(`/cloud/trash/${file.id}`)).status, 404);
    assert.deepEqual([await restoredBy(stranger), await restoredBy(editor)], [404, 403]);
    assert.equal(await restoredBy(manager), 200);
    assert.equal((await stranger.get(`/cloud/files/${file.id}`)).status, 200);
    await sweep();
    assert.equal(await rowsOf(owner), 1);
  });
});
