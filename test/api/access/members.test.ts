import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { clientOf } from '../../support/client.ts';
import { newMember, newOwner, newPerson, type Person } from '../../support/people.ts';

const app = await startApp();

async function memberIdOf(person: Person): Promise<string> {
  return (await person.get(`/members?user_id=${person.user_id}`)).body.items[0].id;
}

/** Two owners of one organization. */
async function twoOwners() {
  const first = await newOwner(app);
  const second = await newMember(app, first, 'owner');
  return { first, second, first_id: await memberIdOf(first), second_id: second.member_id };
}

describe('GET /members', () => {
  test('200: present members and those who left, to be told apart', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'manager');
    await owner.delete(`/members/${member.member_id}`);
    const { items } = (await owner.get('/members')).body;
    assert.equal(items.length, 2);
    const left = (await owner.get('/members?status=left')).body.items;
    assert.deepEqual([left.length, left[0].name, left[0].role], [1, '試験 次郎', 'manager']);
    assert.match(left[0].left_at, /Z$/);
    assert.equal((await owner.get('/members?status=present')).body.total, 1);
    assert.deepEqual((await owner.get(`/members/${left[0].id}`)).body.member, left[0]);
  });

  test('200: any key may read them', async () => {
    const client = await app.actor({ scopes: ['crm:read'] });
    assert.equal((await client.get('/members')).body.total, 1);
  });
});

describe('PATCH /members/{id}', () => {
  test('200: an owner gives any role, which counts at the next request', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    assert.equal((await member.get('/audit-logs')).status, 403);
    const reply = await owner.patch(`/members/${member.member_id}`, { role: 'admin' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.member.role, 'admin');
    assert.equal((await member.get('/audit-logs')).status, 200);
    const { items } = (await owner.get('/audit-logs?entity_type=member&action=update')).body;
    assert.deepEqual(items[0].changes, { role: ['member', 'admin'] });
  });

  test('403: an admin neither makes admins nor touches those beside or above', async () => {
    const owner = await newOwner(app);
    const admin = await newMember(app, owner, 'admin');
    const other = await newMember(app, owner, 'admin');
    const member = await newMember(app, owner, 'member');
    for (const role of ['owner', 'admin']) {
      assert.equal((await admin.patch(`/members/${member.member_id}`, { role })).status, 403, role);
    }
    for (const id of [other.member_id, await memberIdOf(owner)]) {
      assert.equal((await admin.patch(`/members/${id}`, { role: 'member' })).status, 403);
      assert.equal((await admin.delete(`/members/${id}`)).status, 403);
    }
    assert.equal((await admin.patch(`/members/${admin.member_id}`, { role: 'owner' })).status, 403);
    assert.equal((await admin.patch(`/members/${member.member_id}`, { role: 'manager' })).status, 200);
  });

  test('403: managers and members change nobody', async () => {
    const owner = await newOwner(app);
    const manager = await newMember(app, owner, 'manager');
    const member = await newMember(app, owner, 'member');
    assert.equal((await manager.patch(`/members/${member.member_id}`, { role: 'member' })).status, 403);
    assert.equal((await manager.delete(`/members/${member.member_id}`)).status, 403);
    assert.equal((await member.delete(`/members/${manager.member_id}`)).status, 403);
  });

  test('409: the last owner cannot be lowered', async () => {
    const owner = await newOwner(app);
    const reply = await owner.patch(`/members/${await memberIdOf(owner)}`, { role: 'admin' });
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.code, 'last_owner');
  });

  test('404: members of other organizations, and who has left', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    const other = await newOwner(app);
    assert.equal((await other.patch(`/members/${member.member_id}`, { role: 'admin' })).status, 404);
    await owner.delete(`/members/${member.member_id}`);
    assert.equal((await owner.patch(`/members/${member.member_id}`, { role: 'admin' })).status, 404);
    assert.equal((await owner.delete(`/members/${member.member_id}`)).status, 404);
  });
});

describe('DELETE /members/{id}', () => {
  test('200: their keys and their sessions in this organization end at once, in every process', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'manager');
    const key = (await member.post('/api-keys', { name: 'theirs' })).body;
    const there = await startApp({
      database: { url: app.database_url, database: app.database, drop: async () => {} },
    });
    const byKey = clientOf(there.base_url, { Authorization: `Bearer ${key.secret}` });
    const bySession = clientOf(there.base_url, { Cookie: member.cookie });
    assert.equal((await byKey.get('/crm/contacts')).status, 200);
    assert.equal((await bySession.get('/crm/contacts')).status, 200);
    const reply = await owner.delete(`/members/${member.member_id}`);
    assert.deepEqual(reply.body, { success: true });
    assert.equal((await byKey.get('/crm/contacts')).body.code, 'invalid_credentials');
    assert.equal((await bySession.get('/crm/contacts')).body.code, 'invalid_credentials');
    const shown = (await owner.get(`/api-keys/${key.api_key.id}`)).body.api_key;
    assert.match(shown.revoked_at, /Z$/);
    const audit = (await owner.get('/audit-logs?action=delete')).body.items;
    assert.deepEqual(audit.map(({ entity_type }: { entity_type: string }) => entity_type).sort(), [
      'api_key',
      'member',
    ]);
  });

  test('200: a session that acts in another organization goes on', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    await member.post('/organizations', { name: 'Own' });
    await owner.delete(`/members/${member.member_id}`);
    assert.equal((await member.get('/organization')).body.organization.name, 'Own');
    assert.equal((await member.post(`/organizations/${owner.organization_id}/activate`)).status, 404);
  });

  test('200: everybody may leave by themselves', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    assert.equal((await member.delete(`/members/${member.member_id}`)).status, 200);
    assert.equal((await member.get('/organizations')).status, 401);
  });

  test('409: the last owner cannot leave', async () => {
    const owner = await newOwner(app);
    const reply = await owner.delete(`/members/${await memberIdOf(owner)}`);
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.code, 'last_owner');
  });

  test('who was removed and invited again comes back as the same member, without the old keys', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'manager');
    const { secret } = (await member.post('/api-keys', { name: 'old' })).body;
    await owner.delete(`/members/${member.member_id}`);
    const again = await newMember(app, owner, 'member', member.email);
    assert.equal(again.member_id, member.member_id);
    const { member: shown } = (await owner.get(`/members/${member.member_id}`)).body;
    assert.deepEqual([shown.role, shown.left_at], ['member', null]);
    const byKey = clientOf(app.base_url, { Authorization: `Bearer ${secret}` });
    assert.equal((await byKey.get('/members')).status, 401);
  });
});

describe('races over the last owner', () => {
  test('two owners remove each other in parallel: one of them stays', async () => {
    for (let round = 0; round < 8; round++) {
      const { first, second, first_id, second_id } = await twoOwners();
      const replies = await Promise.all([
        first.delete(`/members/${second_id}`),
        second.delete(`/members/${first_id}`),
      ]);
      const statuses = replies.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
      assert.ok(
        statuses.some((status) => status === 409 || status === 401),
        statuses.join(),
      );
      assert.equal(await ownersOf(first.organization_id), 1);
    }
  });

  test('two owners lower each other, or leave together: one of them stays', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await twoOwners();
      await Promise.all([
        one.first.patch(`/members/${one.second_id}`, { role: 'member' }),
        one.second.patch(`/members/${one.first_id}`, { role: 'member' }),
      ]);
      assert.equal(await ownersOf(one.first.organization_id), 1);
      const two = await twoOwners();
      const replies = await Promise.all([
        two.first.delete(`/members/${two.first_id}`),
        two.second.delete(`/members/${two.second_id}`),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      assert.equal(await ownersOf(two.first.organization_id), 1);
    }
  });

  test('a member who makes keys and changes organizations while being removed keeps neither', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await newOwner(app);
      const member = await newMember(app, owner, 'manager');
      const [removed, ...made] = await Promise.all([
        owner.delete(`/members/${member.member_id}`),
        ...Array.from({ length: 5 }, () => member.post('/api-keys', { name: 'late' })),
        member.post(`/organizations/${owner.organization_id}/activate`),
      ]);
      assert.equal(removed.status, 200, removed.text);
      for (const { body } of made.filter(({ status }) => status === 201)) {
        const byKey = clientOf(app.base_url, { Authorization: `Bearer ${body.secret}` });
        assert.equal((await byKey.get('/members')).status, 401);
      }
      const keys = (await owner.get(`/api-keys?created_by=${member.user_id}`)).body.items;
      assert.ok(keys.every(({ revoked_at }: { revoked_at: string | null }) => revoked_at !== null));
      assert.equal((await member.get('/members')).status, 401);
    }
  });
});

test('a person without an organization is told so, and a key cannot act for accounts', async () => {
  const person = await newPerson(app);
  assert.equal((await person.get('/members')).body.code, 'no_active_organization');
  assert.deepEqual((await person.get('/organizations')).body.items, []);
  const byKey = await app.actor();
  assert.equal((await byKey.post('/organizations', { name: 'X' })).body.code, 'session_required');
});

async function ownersOf(organization_id: string): Promise<number> {
  return app.database.withConnection(organization_id, async ({ query }) => {
    const rows = await query(
      "SELECT 1 FROM members WHERE organization_id = $1 AND role = 'owner' AND left_at IS NULL",
      [organization_id],
    );
    return rows.length;
  });
}
