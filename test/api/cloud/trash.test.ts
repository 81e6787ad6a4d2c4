import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { purgeTrash } from '../../../shared/cloud/trash/purge.ts';
import { removeLooseFiles } from '../../../shared/platform/storage/loose-files.ts';
import { startApp } from '../../support/app.ts';
import { persistently } from '../../support/books.ts';
import { newOffice } from '../../support/cloud.ts';
import { ended } from '../../support/exports.ts';
import { storedFiles } from '../../support/stored.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'storage',
]);

const DAY = 24 * 60 * 60_000;
const later = (days: number) => new Date(Date.now() + days * DAY);
const signal = new AbortController().signal;

describe('the trash', () => {
  test('takes a folder with all below it, and gives it back', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('2025');
    const below = await office.folder('12月', folder.id);
    const file = await office.file('a.txt', 'abc', below.id);
    assert.equal((await office.delete(`/cloud/folders/${folder.id}`)).status, 200);
    for (const path of [
      `/cloud/folders/${below.id}`,
      `/cloud/files/${file.id}`,
      `/cloud/files/${file.id}/content`,
    ]) {
      assert.equal((await office.get(path)).status, 404, path);
    }
    assert.equal((await office.get('/cloud/files')).body.total, 0);
    assert.equal((await office.delete(`/cloud/folders/${folder.id}`)).status, 404);
    await office.folder('2025');
    const { body } = await office.get('/cloud/trash');
    assert.deepEqual(
      body.items.map((item: { id: string; object: string }) => [item.id, item.object]),
      [[folder.id, 'cloud.folder']],
    );
    const taken = await office.post(`/cloud/trash/${folder.id}/restore`, {});
    assert.deepEqual([taken.status, taken.body.code], [409, 'already_exists']);
    const back = await office.post(`/cloud/trash/${folder.id}/restore`, { on_conflict: 'rename' });
    assert.deepEqual([back.status, back.body.item.name], [200, '2025 (2)']);
    assert.equal((await office.get(`/cloud/files/${file.id}/content`)).text, 'abc');
    assert.equal((await office.post(`/cloud/trash/${folder.id}/restore`, {})).status, 404);
  });

  test('gives a file back to the root where its folder is in the trash', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('gone');
    const file = await office.file('a.txt', 'abc', folder.id);
    await office.delete(`/cloud/files/${file.id}`);
    await office.delete(`/cloud/folders/${folder.id}`);
    const { body } = await office.post(`/cloud/trash/${file.id}/restore`, {});
    assert.equal(body.item.folder_id, null);
  });

  test('keeps what is held', async () => {
    const office = await newOffice(app);
    const top = await office.folder('top');
    const folder = await office.folder('held', top.id);
    const file = await office.file('a.txt', 'abc', folder.id);
    assert.equal(
      (await office.patch(`/cloud/files/${file.id}`, { retention_until: '2999-12-31' })).status,
      200,
    );
    for (const path of [`/cloud/files/${file.id}`, `/cloud/folders/${top.id}`]) {
      const { status, body } = await office.delete(path);
      assert.deepEqual([status, body.code, body.held_until], [409, 'retention_active', '2999-12-31']);
    }
    for (const retention_until of ['2999-12-30', null]) {
      const earlier = await office.patch(`/cloud/files/${file.id}`, { retention_until });
      assert.deepEqual([earlier.status, earlier.body.code], [409, 'retention_active']);
    }
    const other = await office.folder('other');
    assert.equal(
      (await office.patch(`/cloud/folders/${other.id}`, { retention_until: '2999-01-01' })).status,
      200,
    );
    const inner = await office.file('b.txt', 'b', other.id);
    const out = await office.post(`/cloud/files/${inner.id}/move`, { folder_id: null });
    assert.deepEqual([out.status, out.body.code], [409, 'retention_active']);
    assert.equal((await office.store('b.txt', 'another', other.id)).status, 200);
  });

  test('purges nothing that was taken from a folder which is held by now', async () => {
    const office = await newOffice(app);
    const top = await office.folder('evidence');
    const folder = await office.folder('2026', top.id);
    const file = await office.file('a.txt', 'abc', folder.id);
    await office.delete(`/cloud/files/${file.id}`);
    const below = await office.folder('12', folder.id);
    await office.delete(`/cloud/folders/${below.id}`);
    await office.patch(`/cloud/folders/${top.id}`, { retention_until: '2999-12-31' });
    for (const { id } of [file, below]) {
      const { status, body } = await office.delete(`/cloud/trash/${id}`);
      assert.deepEqual([status, body.code, body.held_until], [409, 'retention_active', '2999-12-31']);
      const taken_out = await office.post(`/cloud/trash/${id}/restore`, { folder_id: null });
      assert.deepEqual([taken_out.status, taken_out.body.code], [409, 'retention_active']);
    }
    const job = await ended(office, (await office.delete('/cloud/trash')).body.job.id);
    assert.deepEqual(job.result, { purged: 0 });
    await purgeTrash(app.database, later(31), signal);
    assert.equal((await office.get('/cloud/trash')).body.total, 2);
    assert.equal((await office.post(`/cloud/trash/${file.id}/restore`, {})).status, 200);
    await purgeTrash(app.database, new Date('3000-01-01T15:00:00Z'), signal);
    assert.equal((await office.get('/cloud/trash')).body.total, 0);
  });

  test('is purged after its days: rows, room and bytes', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('old');
    const file = await office.file('a.txt', 'purged bytes', folder.id);
    await office.store('a.txt', 'purged bytes, once more', folder.id);
    const copy = await office.post(`/cloud/files/${file.id}/copy`, { folder_id: null });
    await office.delete(`/cloud/folders/${folder.id}`);
    await purgeTrash(app.database, later(29), signal);
    assert.equal((await office.get('/cloud/trash')).body.total, 1);
    await purgeTrash(app.database, later(31), signal);
    assert.equal((await office.get('/cloud/trash')).body.total, 0);
    assert.equal((await office.post(`/cloud/trash/${folder.id}/restore`, {})).status, 404);
    assert.equal((await office.get('/cloud/usage')).body.usage.used_bytes, 23);
    const before = storedFiles(app).length;
    await removeLooseFiles({ database: app.database, storage: app.context.storage }, later(31), signal);
    assert.equal(storedFiles(app).length, before - 1);
    const content = await office.get(`/cloud/files/${copy.body.file.id}/content`);
    assert.equal(content.text, 'purged bytes, once more');
    assert.equal(await purgeTrash(app.database, later(31), signal), 0);
  });

  test('is purged by hand by managers alone, and emptied by a job', async () => {
    const owner = await newOffice(app);
    const member = await owner.colleague();
    const [a, b] = [await member.file('a'), await member.file('b')];
    await member.delete(`/cloud/files/${a.id}`);
    await member.delete(`/cloud/files/${b.id}`);
    assert.equal((await member.delete(`/cloud/trash/${a.id}`)).status, 403);
    assert.equal((await owner.delete(`/cloud/trash/${a.id}`)).status, 200);
    assert.equal((await owner.get('/cloud/trash')).body.total, 1);
    const asked = await owner.delete('/cloud/trash');
    assert.equal(asked.status, 202);
    const job = await ended(owner, asked.body.job.id);
    assert.deepEqual([job.status, job.result], ['succeeded', { purged: 1 }]);
    assert.equal((await owner.get('/cloud/trash')).body.total, 0);
  });

  test('keeps a restricted folder from who purges the one above it and manages that alone', async () => {
    const owner = await newOffice(app);
    const manager = await owner.colleague();
    const outer = await owner.folder('outer');
    const middle = await owner.folder('middle', outer.id);
    const inner = await owner.folder('inner', middle.id);
    await owner.put(`/cloud/folders/${inner.id}/access`, { mode: 'restricted' });
    const grants = [{ type: 'user', id: manager.user_id, role: 'manager' }];
    await owner.put(`/cloud/folders/${outer.id}/access`, { mode: 'restricted', grants });
    await owner.delete(`/cloud/folders/${middle.id}`);
    const { status, body } = await manager.delete(`/cloud/trash/${middle.id}`);
    assert.deepEqual([status, body.code], [403, 'folder_permission']);
    const job = await ended(manager, (await manager.delete('/cloud/trash')).body.job.id);
    assert.deepEqual(job.result, { purged: 0 });
    await owner.post(`/cloud/trash/${middle.id}/restore`, {});
    await owner.delete(`/cloud/folders/${inner.id}`);
    await owner.delete(`/cloud/folders/${middle.id}`);
    assert.equal((await manager.delete(`/cloud/trash/${middle.id}`)).status, 200);
    await purgeTrash(app.database, new Date(), signal);
    assert.equal((await manager.get('/cloud/trash')).body.total, 0);
    assert.equal((await owner.post(`/cloud/trash/${inner.id}/restore`, {})).body.item.parent_id, null);
  });

  test('takes and gives back many at once, all or none', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('there');
    const files = [await office.file('a'), await office.file('b'), await office.file('c')];
    const ids = files.map(({ id }) => id);
    await office.file('b', 'in the way', folder.id);
    const refused = await office.post('/cloud/batch', { action: 'move', ids, folder_id: folder.id });
    assert.deepEqual([refused.status, refused.body.id, refused.body.errors[0].path], [409, ids[1], '/ids/1']);
    assert.deepEqual(await office.names(folder.id), ['b']);
    const gone = 'file_01kaj2n5w5fq8b4m0g3v7x9rtc';
    for (const action of ['move', 'trash', 'restore']) {
      const unknown = await office.post('/cloud/batch', { action, ids: [gone], folder_id: null });
      assert.deepEqual([unknown.status, unknown.body.code, unknown.body.id], [404, 'not_found', gone]);
    }
    const moved = await office.post('/cloud/batch', {
      action: 'move',
      ids: [...ids, ids[0]],
      folder_id: folder.id,
      on_conflict: 'rename',
    });
    assert.equal(moved.body.items.length, 3);
    assert.deepEqual(await office.names(folder.id), ['a', 'b', 'b (2)', 'c']);
    assert.equal((await office.post('/cloud/batch', { action: 'trash', ids })).status, 200);
    assert.deepEqual(await office.names(folder.id), ['b']);
    assert.equal((await office.get(`/cloud/folders/${folder.id}`)).body.folder.file_count, 1);
    assert.equal((await office.post('/cloud/batch', { action: 'restore', ids })).status, 200);
    assert.equal((await office.get(`/cloud/folders/${folder.id}`)).body.folder.file_count, 4);
    await office.post('/cloud/batch', { action: 'trash', ids });
    const elsewhere = { action: 'restore', ids, folder_id: (await office.folder('elsewhere')).id };
    const { body } = await office.post('/cloud/batch', elsewhere);
    assert.equal(body.items.length, ids.length);
    assert.equal((await office.get(`/cloud/folders/${elsewhere.folder_id}/children`)).body.total, ids.length);
  });

  test('is passed by nothing that is put below a folder on its way there', async () => {
    const office = await newOffice(app);
    for (let round = 0; round < 5; round += 1) {
      const folder = await office.folder(`f${round}`);
      const [put, gone] = await Promise.all([
        persistently(() => office.store('a.txt', 'abc', folder.id)),
        persistently(() => office.delete(`/cloud/folders/${folder.id}`)),
      ]);
      assert.equal(gone.status, 200);
      assert.ok(put.status === 201 || put.status === 404, String(put.status));
      const { body } = await office.post(`/cloud/trash/${folder.id}/restore`, {});
      assert.equal(body.item.file_count, put.status === 201 ? 1 : 0);
    }
  });
});
