import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { exported, startExportWorkers } from '../../support/exports.ts';

const app = await startApp();

test('each change has its entry, and reading has none', async () => {
  const office = await newOffice(app);
  const entries = async () => {
    const { body } = await office.get('/cloud/audit-logs?limit=200&sort=created_at:asc');
    return body.items as { entity_type: string; entity_id: string; action: string; changes: object }[];
  };
  const folder = await office.folder('契約書');
  const other = await office.folder('写し');
  const file = await office.file('a.txt', 'one', folder.id);
  await office.store('a.txt', 'two', folder.id);
  const path = `/cloud/files/${file.id}`;
  const [, old] = (await office.get(`${path}/versions`)).body.items;
  const company = (await office.post('/crm/companies', { name: '港文具' })).body.company;
  const changes: [string, string, string, () => Promise<{ status: number; text: string }>][] = [
    ['file', 'update', 'name', () => office.patch(path, { name: 'b.txt' })],
    ['file', 'update', 'links', () => office.patch(path, { links: [{ type: 'company', id: company.id }] })],
    ['file', 'update', 'folder_id', () => office.post(`${path}/move`, { folder_id: other.id })],
    ['file', 'create', 'name', () => office.post(`${path}/copy`, { folder_id: null })],
    ['version', 'update', 'keep', () => office.patch(`${path}/versions/${old.id}`, { keep: true })],
    ['file', 'update', 'version_id', () => office.post(`${path}/versions/${old.id}/restore`)],
    ['version', 'delete', 'number', () => office.delete(`${path}/versions/${old.id}`)],
    [
      'folder',
      'update',
      'parent_id',
      () => office.patch(`/cloud/folders/${other.id}`, { parent_id: folder.id }),
    ],
    [
      'access',
      'update',
      'mode',
      () => office.put(`/cloud/folders/${other.id}/access`, { mode: 'restricted' }),
    ],
    ['file', 'update', 'trashed_at', () => office.delete(path)],
    ['file', 'update', 'trashed_at', () => office.post(`/cloud/trash/${file.id}/restore`, {})],
    ['folder', 'update', 'trashed_at', () => office.delete(`/cloud/folders/${folder.id}`)],
    ['folder', 'delete', 'name', () => office.delete(`/cloud/trash/${folder.id}`)],
    ['settings', 'update', 'trash_days', () => office.patch('/cloud/settings', { trash_days: 7 })],
  ];
  for (const [entity_type, action, field, change] of changes) {
    const before = (await entries()).length;
    const { status, text } = await change();
    assert.ok(status < 300, text);
    const added = (await entries()).slice(before);
    assert.deepEqual(
      added.map((each) => [each.entity_type, each.action]),
      [[entity_type, action]],
      `${entity_type} ${field}`,
    );
    assert.ok(field in added[0]!.changes, `${field} in ${Object.keys(added[0]!.changes)}`);
  }
  const count = (await entries()).length;
  const { body } = await office.store('read.txt', 'x');
  for (const read of ['', '/content', '/versions']) await office.get(`/cloud/files/${body.file.id}${read}`);
  for (const read of ['folders', 'files', 'trash', 'usage', 'settings']) await office.get(`/cloud/${read}`);
  await office.store('read.txt', 'x');
  await office.patch(`/cloud/files/${body.file.id}`, { name: 'read.txt' });
  assert.equal((await entries()).length, count + 1);
});

test('who does not see a folder is told nothing of what is in it, in the list and in its export', async () => {
  const owner = await newOffice(app);
  const manager = await owner.colleague('manager');
  const secret = await owner.folder('役員');
  const below = await owner.folder('報酬', secret.id);
  const open = await owner.file('open.txt');
  const file = await owner.file('給与.txt', '給与', below.id);
  await owner.store('給与.txt', '給与改', below.id);
  const [, old] = (await owner.get(`/cloud/files/${file.id}/versions`)).body.items;
  await owner.patch(`/cloud/files/${file.id}/versions/${old.id}`, { keep: true });
  await owner.patch('/cloud/settings', { trash_days: 7 });
  const gone = await owner.file('辞令.txt', '辞令', below.id);
  const about = async (who: typeof owner) => {
    const { body } = await who.get('/cloud/audit-logs?limit=200');
    assert.equal(body.total, body.items.length);
    return new Set(body.items.map(({ entity_id }: { entity_id: string }) => entity_id));
  };
  const all = await about(owner);
  assert.deepEqual(await about(manager), all);
  await owner.put(`/cloud/folders/${secret.id}/access`, { mode: 'restricted' });
  await owner.delete(`/cloud/files/${gone.id}`);
  const seen = await about(manager);
  assert.deepEqual([...seen].sort(), [open.id, owner.organization_id].sort());
  assert.deepEqual(await about(owner), all);
  await startExportWorkers(app);
  for (const [who, tells] of [
    [manager, false],
    [owner, true],
  ] as const) {
    const { bytes, job } = await exported(app, who, '/cloud/audit-logs');
    assert.equal(bytes.toString().includes('給与'), tells);
    assert.ok(bytes.toString().includes(open.id));
    assert.equal((await manager.get(`/jobs/${job.id}`)).status, tells ? 404 : 200);
  }
  const named = await manager.get(`/cloud/audit-logs?entity_id=${file.id}`);
  assert.equal(named.body.total, 0);
});

test('an entry that names an unseen folder is told to nobody who does not see it', async () => {
  const owner = await newOffice(app);
  const manager = await owner.colleague('manager');
  const secret = await owner.folder('役員');
  const inner = await owner.folder('公開', secret.id);
  const file = await owner.file('a.txt', 'a', secret.id);
  await owner.put(`/cloud/folders/${secret.id}/access`, { mode: 'restricted' });
  const grants = [{ type: 'role', id: 'manager', role: 'viewer' }];
  await owner.put(`/cloud/folders/${inner.id}/access`, { mode: 'restricted', grants });
  await owner.post(`/cloud/files/${file.id}/move`, { folder_id: null });
  await owner.patch(`/cloud/files/${file.id}`, { description: 'x' });
  await owner.patch(`/cloud/folders/${inner.id}`, { description: 'x' });
  const { body, text } = await manager.get('/cloud/audit-logs');
  const told = body.items.map(({ entity_id, action }: { entity_id: string; action: string }) => [
    entity_id,
    action,
  ]);
  assert.ok(!text.includes(secret.id), text);
  const update = [inner.id, 'update'];
  assert.deepEqual(told, [update, [file.id, 'update'], update]);
});
