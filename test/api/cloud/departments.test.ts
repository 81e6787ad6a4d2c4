import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';
import { newOffice, type Office } from '../../support/cloud.ts';

const app = await startApp();

/** An owner with departments, and a folder that is granted to the one in the middle. */
async function granted() {
  const owner = await newWorkplace(app);
  const office = await newOffice(app, { organization_id: owner.organization_id, role: 'owner' });
  const top = await owner.department();
  const middle = await owner.department({ parent_id: top.id });
  const bottom = await owner.department({ parent_id: middle.id });
  const folder = await office.folder('営業資料');
  const file = await office.file('a.txt', 'a', folder.id);
  await office.folder('他');
  await setAccess(office, folder.id, [{ type: 'department', id: middle.id, role: 'editor' }]);
  return { owner, office, top, middle, bottom, folder, file };
}

async function setAccess(office: Office, folder_id: string, grants: object[]) {
  const { status, text } = await office.put(`/cloud/folders/${folder_id}/access`, {
    mode: 'restricted',
    grants,
  });
  assert.equal(status, 200, text);
}

async function grantsOf(office: Office, folder_id: string): Promise<[string, string][]> {
  const { access } = (await office.get(`/cloud/folders/${folder_id}/access`)).body;
  return access.grants.map(({ id, role }: { id: string; role: string }) => [id, role]);
}

const place = (owner: Workplace, { member_id }: Workplace, department_id: string | null) =>
  owner.done('PATCH', `/members/${member_id}`, { department_id });

/** What somebody may do with a folder; null where they do not see it, alone and in the list. */
async function permissionOf(who: Workplace, folder_id: string): Promise<string | null> {
  const { status, body } = await who.get(`/cloud/folders/${folder_id}`);
  const listed = (await who.get('/cloud/folders')).body.items.some(
    ({ id }: { id: string }) => id === folder_id,
  );
  assert.equal(listed, status === 200);
  return status === 200 ? body.folder.permission : null;
}

describe('a grant to a department', () => {
  test('is for its members and those of the departments below it', async () => {
    const { owner, top, middle, bottom, folder, file } = await granted();
    const who = await owner.colleague();
    for (const [department_id, permission] of [
      [null, null],
      [top.id, null],
      [middle.id, 'editor'],
      [bottom.id, 'editor'],
    ] as const) {
      await place(owner, who, department_id);
      assert.equal(await permissionOf(who, folder.id), permission);
      assert.equal((await who.get(`/cloud/files/${file.id}/content`)).status, permission ? 200 : 404);
    }
    const key = await owner.colleague('member', ['cloud:read']);
    await place(owner, key, middle.id);
    assert.equal(await permissionOf(key, folder.id), 'viewer');
    await owner.done('PATCH', `/org/departments/${bottom.id}`, { parent_id: null });
    assert.equal(await permissionOf(who, folder.id), null);
  });

  test('is one of those of which the highest counts', async () => {
    const { owner, office, top, middle, folder } = await granted();
    const who = await owner.colleague();
    await place(owner, who, middle.id);
    await setAccess(office, folder.id, [
      { type: 'department', id: top.id, role: 'manager' },
      { type: 'department', id: middle.id, role: 'viewer' },
      { type: 'user', id: who.user_id, role: 'editor' },
    ]);
    assert.equal(await permissionOf(who, folder.id), 'manager');
  });

  test('is given to departments of the organization alone', async () => {
    const { office, folder } = await granted();
    const foreign = await (await newWorkplace(app)).department();
    for (const id of [foreign.id, 'dept_01kaj2n5w5fq8b4m0g3v7x9rtc', 'member']) {
      const { status, body } = await office.put(`/cloud/folders/${folder.id}/access`, {
        mode: 'restricted',
        grants: [{ type: 'department', id, role: 'viewer' }],
      });
      assert.deepEqual([status, body.code, body.errors[0].path], [422, 'unknown_reference', '/grants/0/id']);
    }
  });
});

describe('the removal of a department', () => {
  test('takes its grants to where its members go, and keeps the higher one', async () => {
    const { owner, office, top, middle, folder } = await granted();
    const who = await owner.colleague();
    await place(owner, who, middle.id);
    const other = await owner.department();
    const both = await office.folder('両方');
    await setAccess(office, both.id, [
      { type: 'department', id: middle.id, role: 'manager' },
      { type: 'department', id: other.id, role: 'viewer' },
      { type: 'department', id: top.id, role: 'viewer' },
    ]);
    const { body } = await office.get('/cloud/audit-logs?entity_type=access');
    await owner.done('DELETE', `/org/departments/${middle.id}?move_members_to=${other.id}`);
    assert.deepEqual(await grantsOf(office, folder.id), [[other.id, 'editor']]);
    assert.deepEqual(
      (await grantsOf(office, both.id)).sort(),
      [
        [other.id, 'manager'],
        [top.id, 'viewer'],
      ].sort(),
    );
    assert.equal(await permissionOf(who, folder.id), 'editor');
    const entries = await office.get('/cloud/audit-logs?entity_type=access');
    assert.equal(entries.body.total, body.total + 2);
  });

  test('ends its grants where it has no members', async () => {
    const { owner, office, bottom, folder } = await granted();
    await setAccess(office, folder.id, [{ type: 'department', id: bottom.id, role: 'editor' }]);
    await owner.done('DELETE', `/org/departments/${bottom.id}`);
    assert.deepEqual(await grantsOf(office, folder.id), []);
  });

  test('at the same time as a grant to it leaves no grant to nobody', async () => {
    const owner = await newWorkplace(app);
    const office = await newOffice(app, { organization_id: owner.organization_id, role: 'owner' });
    const folder = await office.folder('同時');
    for (let round = 0; round < 5; round += 1) {
      const { id } = await owner.department();
      await setAccess(office, folder.id, []);
      const [given, removed] = await Promise.all([
        office.put(`/cloud/folders/${folder.id}/access`, {
          mode: 'restricted',
          grants: [{ type: 'department', id, role: 'viewer' }],
        }),
        owner.send('DELETE', `/attendance/org/departments/${id}`),
      ]);
      assert.equal(removed.status, 200, removed.text);
      assert.ok(given.status === 200 || given.status === 422, given.text);
      assert.deepEqual(await grantsOf(office, folder.id), []);
    }
  });
});
