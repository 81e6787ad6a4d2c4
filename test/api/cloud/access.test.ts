import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';

const app = await startApp();

/** An owner, a member who is given something, and one who is not, with a restricted folder. */
async function restricted(role: 'viewer' | 'editor' | 'manager') {
  const owner = await newOffice(app);
  const [given, other] = [await owner.colleague(), await owner.colleague()];
  const folder = await owner.folder('人事');
  const file = await owner.file('給与.txt', '給与', folder.id);
  const { status, body } = await owner.put(`/cloud/folders/${folder.id}/access`, {
    mode: 'restricted',
    grants: [{ type: 'user', id: given.user_id, role }],
  });
  assert.equal(status, 200, JSON.stringify(body));
  return { owner, given, other, folder, file };
}

const seen = async (office: Office, path: string) =>
  (await office.get(path)).body.items.map(({ name }: { name: string }) => name);

describe('a restricted folder', () => {
  test('keeps what was trashed in it, and lies nowhere else, out of the trash of who has no grant', async () => {
    const { owner, given, other, folder } = await restricted('viewer');
    const inner = await owner.folder('異動', folder.id);
    await owner.file('内示.txt', '内示', inner.id);
    assert.equal((await owner.delete(`/cloud/folders/${inner.id}`)).status, 200);
    for (const [office, names] of [
      [given, ['異動']],
      [other, []],
    ] as const) {
      assert.deepEqual(await seen(office, '/cloud/trash'), names);
    }
    assert.deepEqual(await seen(other, '/cloud/files'), []);
  });

  test('is seen by nobody who has no grant: in no list, search, path or sum', async () => {
    const { owner, given, other, folder, file } = await restricted('viewer');
    for (const path of [
      `/cloud/folders/${folder.id}`,
      `/cloud/files/${file.id}`,
      `/cloud/files/${file.id}/content`,
    ]) {
      assert.equal((await other.get(path)).status, 404, path);
      assert.equal((await given.get(path)).status, 200, path);
    }
    for (const path of [
      '/cloud/folders',
      '/cloud/files',
      '/cloud/files?search=給与',
      '/cloud/folders/root/children',
    ]) {
      assert.deepEqual([path, await seen(other, path)], [path, []]);
      assert.equal((await seen(given, path)).length, 1);
    }
    const page = await other.get('/cloud/files');
    assert.equal(page.body.total, 0);
    assert.deepEqual((await other.get('/cloud/folders/root/usage')).body.usage, {
      folder_count: 0,
      file_count: 0,
      size_bytes: 0,
    });
    const above = await owner.folder('総務');
    await owner.folder('公開', above.id);
    await owner.patch(`/cloud/folders/${folder.id}`, { parent_id: above.id });
    for (const [office, count] of [
      [other, 1],
      [given, 2],
      [owner, 2],
    ] as const) {
      const listed = (await office.get('/cloud/folders?parent_id=root')).body.items[0];
      const { body } = await office.get(`/cloud/folders/${above.id}`);
      const changed = await office.patch(`/cloud/folders/${above.id}`, { description: `${count}` });
      const counts = [listed, body.folder, changed.body.folder].map(({ folder_count }) => folder_count);
      assert.deepEqual(counts, [count, count, count]);
    }
    await owner.patch(`/cloud/folders/${folder.id}`, { parent_id: null });
    const named = await other.post('/cloud/folders', { name: '人事' });
    assert.deepEqual([named.status, named.body.existing_id], [409, null]);
    assert.equal((await owner.get(`/cloud/folders/${folder.id}`)).body.folder.permission, 'manager');
  });

  test('lets a viewer look, an editor write and a manager decide who does', async () => {
    for (const [role, statuses] of [
      ['viewer', [403, 403, 403]],
      ['editor', [200, 201, 403]],
      ['manager', [200, 201, 200]],
    ] as const) {
      const { given, folder, file } = await restricted(role);
      const answers = [
        await given.patch(`/cloud/files/${file.id}`, { name: 'x.txt' }),
        await given.store('new.txt', 'x', folder.id),
        await given.put(`/cloud/folders/${folder.id}/access`, { mode: 'inherited' }),
      ];
      assert.deepEqual([role, answers.map(({ status }) => status)], [role, statuses]);
      for (const { status, body } of answers)
        if (status === 403) assert.equal(body.code, 'folder_permission');
    }
  });

  test('begins anew below another one, and shows nothing of that', async () => {
    const { owner, given, other, folder } = await restricted('editor');
    const inner = await owner.folder('公開', folder.id);
    await owner.put(`/cloud/folders/${inner.id}/access`, {
      mode: 'restricted',
      grants: [{ type: 'role', id: 'member', role: 'viewer' }],
    });
    const shown = await other.get(`/cloud/folders/${inner.id}`);
    assert.deepEqual(
      [shown.status, shown.body.folder.path, shown.body.folder.permission],
      [200, [], 'viewer'],
    );
    assert.deepEqual(await seen(other, '/cloud/folders'), ['公開']);
    assert.equal((await given.get(`/cloud/folders/${inner.id}`)).body.folder.permission, 'viewer');
    assert.equal((await given.get(`/cloud/folders/${inner.id}`)).body.folder.path.length, 1);
  });

  test('is named nowhere by what was granted below it: no parent, and a depth without it', async () => {
    const owner = await newOffice(app);
    const other = await owner.colleague();
    const top = await owner.folder('総務');
    const closed = await owner.folder('人事', top.id);
    const inner = await owner.folder('公開', closed.id);
    const below = await owner.folder('様式', inner.id);
    await owner.put(`/cloud/folders/${closed.id}/access`, { mode: 'restricted' });
    await owner.put(`/cloud/folders/${inner.id}/access`, {
      mode: 'restricted',
      grants: [{ type: 'role', id: 'member', role: 'manager' }],
    });
    const placed = ({ parent_id, depth, path }: typeof inner) => [parent_id, depth, path.length];
    const path = `/cloud/folders/${inner.id}`;
    assert.deepEqual(placed((await owner.get(path)).body.folder), [closed.id, 3, 2]);
    const changed = await other.patch(path, { description: 'x', name: '公開 2' });
    const listed = (await other.get('/cloud/folders?search=公開')).body.items[0];
    const shown = [(await other.get(path)).body.folder, listed, changed.body.folder];
    assert.deepEqual(shown.map(placed), Array(3).fill([null, 2, 1]));
    const deeper = (await other.get(`/cloud/folders/${below.id}`)).body.folder;
    assert.deepEqual(placed(deeper), [inner.id, 3, 2]);
    for (const reply of [
      await other.get(`/cloud/folders?parent_id=${closed.id}`),
      await other.get(`/cloud/folders?parent_id=${closed.id}&search=公開`),
    ]) {
      assert.deepEqual([reply.body.items, reply.body.total], [[], 0]);
    }
    assert.equal((await owner.get(`/cloud/folders?parent_id=${closed.id}`)).body.total, 1);
    await owner.file('様式.txt', 'x', below.id);
    const under = (id: string) => `/cloud/files?recursive=true&folder_id=${id}`;
    const [unseen, seen] = [await other.get(under(closed.id)), await other.get(under(inner.id))];
    assert.deepEqual([unseen.body.total, seen.body.total], [0, 1]);
    assert.equal((await owner.get(under(closed.id))).body.total, 1);
    const out = await other.patch(path, { parent_id: null });
    assert.deepEqual([out.status, out.body.code], [403, 'folder_permission']);
    await other.delete(path);
    const back = await other.post(`/cloud/trash/${inner.id}/restore`, {});
    for (const reply of [changed, out, back]) assert.ok(!reply.text.includes(closed.id), reply.text);
  });

  test('is left by what a manager takes out, and trashed by who manages all below it', async () => {
    const { owner, given, folder, file } = await restricted('editor');
    const out = await given.post(`/cloud/files/${file.id}/move`, { folder_id: null });
    assert.deepEqual([out.status, out.body.code], [403, 'folder_permission']);
    assert.equal((await owner.post(`/cloud/files/${file.id}/move`, { folder_id: null })).status, 200);
    assert.equal((await given.delete(`/cloud/folders/${folder.id}`)).status, 403);
    const parent = await given.folder('parent');
    await owner.patch(`/cloud/folders/${folder.id}`, { parent_id: parent.id });
    assert.equal((await given.delete(`/cloud/folders/${parent.id}`)).status, 403);
    assert.equal((await owner.delete(`/cloud/folders/${parent.id}`)).status, 200);
  });

  test('is managed by who restricted it, and named grants must be of the organization', async () => {
    const owner = await newOffice(app);
    const manager = await owner.colleague('manager');
    const folder = await manager.folder('mine');
    const editor = await manager.put(`/cloud/folders/${folder.id}/access`, { mode: 'restricted' });
    assert.deepEqual([editor.status, editor.body.code], [403, 'folder_permission']);
    const stranger = await newOffice(app);
    for (const grant of [
      { type: 'user', id: stranger.user_id, role: 'viewer' },
      { type: 'role', id: 'nobody', role: 'viewer' },
      { type: 'department', id: 'dept_1', role: 'viewer' },
    ]) {
      const refused = await owner.put(`/cloud/folders/${folder.id}/access`, {
        mode: 'restricted',
        grants: [grant],
      });
      assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/grants/0/id']);
    }
  });

  test('is seen by a key without cloud:write as a viewer at most', async () => {
    const owner = await newOffice(app);
    const folder = await owner.folder('all');
    const reader = await owner.colleague('member', ['cloud:read']);
    assert.equal((await reader.get(`/cloud/folders/${folder.id}`)).body.folder.permission, 'viewer');
    assert.equal((await reader.post('/cloud/folders', { name: 'x' })).status, 403);
  });

  test('is opened by no key without cloud:read: it neither shares nor copies', async () => {
    const owner = await newOffice(app);
    const folder = await owner.folder('all');
    const file = await owner.file('a.txt', 'secret', folder.id);
    const writer = await owner.colleague('owner', ['cloud:write']);
    for (const reply of [
      await writer.post('/cloud/shares', { file_id: file.id }),
      await writer.post('/cloud/shares', { folder_id: folder.id }),
      await writer.post(`/cloud/files/${file.id}/copy`, { folder_id: null }),
    ]) {
      const { status, body } = reply;
      assert.deepEqual([status, body.code, body.required_scope], [403, 'insufficient_scope', 'cloud:read']);
    }
    assert.equal((await owner.get('/cloud/shares')).body.total, 0);
  });

  test('is told to no key without cloud:read, also where a name is taken', async () => {
    const owner = await newOffice(app);
    await owner.folder('all', null, { description: 'secret' });
    const writer = await owner.colleague('member', ['cloud:write']);
    const taken = await writer.post('/cloud/folders', { name: 'all', on_conflict: 'existing' });
    assert.deepEqual(
      [taken.status, taken.body.code, taken.body.existing_id],
      [409, 'already_exists', null],
      taken.text,
    );
    assert.doesNotMatch(taken.text, /secret|fold_/);
    const made = await writer.post('/cloud/folders', { name: 'new', on_conflict: 'existing' });
    assert.equal(made.status, 201, made.text);
  });
});
