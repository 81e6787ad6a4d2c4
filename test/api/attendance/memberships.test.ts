import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';
import type { Client } from '../../support/client.ts';
import { linkInMail } from '../../support/letters.ts';
import { newEmail, newMember, newOwner, PASSWORD } from '../../support/people.ts';

const app = await startApp();

const members = async (client: Client, query = '') =>
  (await client.get(`/attendance/members?limit=200${query}`)).body.items;

const byEmail = async (client: Client, email: string) => (await members(client, `&email=${email}`))[0];

describe('a membership', () => {
  test('of an owner has a member from the moment the organization is made', async () => {
    const owner = await newOwner(app);
    const [member, ...others] = await members(owner);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [member.user_id, member.name, member.email, member.role, member.status],
      [owner.user_id, owner.name, owner.email, 'owner', 'active'],
    );
    assert.deepEqual(
      [member.terms.id, member.terms.work_system, member.terms.weekly_days, member.terms.weekly_hours],
      [null, 'fixed', 5, 40],
    );
  });

  test('begins with an invitation, which makes a member that can be prepared', async () => {
    const owner = await newOwner(app);
    const email = newEmail();
    const { invitation } = (await owner.post('/invitations', { email: email.toUpperCase(), role: 'manager' }))
      .body;
    const invited = await byEmail(owner, email);
    assert.deepEqual(
      [invited.status, invited.user_id, invited.role, invited.name],
      ['invited', null, null, email],
    );
    const prepared = await owner.patch(`/attendance/members/${invited.id}`, { employee_code: 'E-7' });
    assert.equal(prepared.status, 200, prepared.text);
    const token = await linkInMail(app, 'invitation', invitation.id);
    const accepted = await app.anonymous.post('/invitations/accept', {
      token,
      name: '新人',
      password: PASSWORD,
    });
    assert.equal(accepted.status, 200, accepted.text);
    const joined = await byEmail(owner, email);
    assert.deepEqual(
      [joined.id, joined.status, joined.name, joined.role, joined.employee_code],
      [invited.id, 'active', '新人', 'manager', 'E-7'],
    );
  });

  test('takes the member without an account that has its address, once, of two that accept at the same time', async () => {
    const owner = await newOwner(app);
    const email = newEmail();
    const { member } = (await owner.post('/attendance/members', { name: '佐藤 一郎', email })).body;
    const { invitation } = (await owner.post('/invitations', { email, role: 'member' })).body;
    assert.equal((await byEmail(owner, email)).status, 'active');
    const token = await linkInMail(app, 'invitation', invitation.id);
    const answers = await Promise.all(
      [1, 2].map(() =>
        app.anonymous.post('/invitations/accept', { token, name: '一郎', password: PASSWORD }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const joined = await byEmail(owner, email);
    assert.deepEqual([joined.id, joined.name, joined.role], [member.id, '佐藤 一郎', 'member']);
    assert.equal((await members(owner)).length, 2);
  });

  test('and a person added with its address at the same moment are one member', async () => {
    const owner = await newOwner(app);
    const email = newEmail();
    const { invitation } = (await owner.post('/invitations', { email, role: 'member' })).body;
    const token = await linkInMail(app, 'invitation', invitation.id);
    const [accepted, added] = await Promise.all([
      app.anonymous.post('/invitations/accept', { token, name: '一郎', password: PASSWORD }),
      owner.post('/attendance/members', { name: '佐藤', email }),
    ]);
    assert.deepEqual([accepted.status, added.status, added.body.code], [200, 409, 'already_exists']);
    assert.equal(added.body.existing_id, (await byEmail(owner, email)).id);
  });

  test('that is revoked before it began leaves nothing, but what was prepared', async () => {
    const owner = await newOwner(app);
    const [bare, prepared] = [newEmail(), newEmail()];
    const ids: string[] = [];
    for (const email of [bare, prepared]) {
      ids.push((await owner.post('/invitations', { email, role: 'member' })).body.invitation.id);
    }
    const { id } = await byEmail(owner, prepared);
    await owner.post('/attendance/org/departments', { name: '営業部', manager_member_id: id });
    for (const each of ids) assert.equal((await owner.delete(`/invitations/${each}`)).status, 200);
    assert.equal(await byEmail(owner, bare), undefined);
    assert.equal((await byEmail(owner, prepared)).status, 'left');
  });

  test('that ends gives its member a last day, and one that begins again takes it away', async () => {
    const owner = await newOwner(app);
    const leaving = await newMember(app, owner, 'member');
    const before = await byEmail(owner, leaving.email);
    assert.equal((await owner.delete(`/members/${leaving.member_id}`)).status, 200);
    const gone = await byEmail(owner, leaving.email);
    assert.deepEqual([gone.status, gone.role, gone.id], ['left', null, before.id]);
    assert.match(gone.left_on, /^\d{4}-\d\d-\d\d$/);
    const { invitation } = (await owner.post('/invitations', { email: leaving.email, role: 'manager' })).body;
    const token = await linkInMail(app, 'invitation', invitation.id);
    const accepted = await app.anonymous.post('/invitations/accept', { token, password: PASSWORD });
    assert.equal(accepted.status, 200, accepted.text);
    const back = await byEmail(owner, leaving.email);
    assert.deepEqual([back.id, back.status, back.left_on, back.role], [before.id, 'active', null, 'manager']);
  });

  test('keeps a last day that was said before', async () => {
    const owner = await newOwner(app);
    const leaving = await newMember(app, owner, 'member');
    const { id } = await byEmail(owner, leaving.email);
    await owner.patch(`/attendance/members/${id}`, { left_on: '2099-03-31' });
    await owner.delete(`/members/${leaving.member_id}`);
    assert.equal((await byEmail(owner, leaving.email)).left_on, '2099-03-31');
  });

  test('of who invited others takes the open invitations along, with their members', async () => {
    const owner = await newOwner(app);
    const admin = await newMember(app, owner, 'admin');
    const email = newEmail();
    await admin.post('/invitations', { email, role: 'member' });
    await owner.patch(`/members/${admin.member_id}`, { role: 'member' });
    assert.equal(await byEmail(owner, email), undefined);
  });
});

describe('PATCH /attendance/members/update-role', () => {
  test('gives the membership another role, below that of who gives it', async () => {
    const owner = await newOwner(app);
    const [admin, member] = [await newMember(app, owner, 'admin'), await newMember(app, owner, 'member')];
    const { id } = await byEmail(owner, member.email);
    const raised = await admin.patch('/attendance/members/update-role', { member_id: id, role: 'manager' });
    assert.deepEqual([raised.status, raised.body.member?.role], [200, 'manager'], raised.text);
    const beyond = await admin.patch('/attendance/members/update-role', { member_id: id, role: 'admin' });
    assert.deepEqual([beyond.status, beyond.body.code], [403, 'insufficient_scope']);
    const own = await member.patch('/attendance/members/update-role', { member_id: id, role: 'owner' });
    assert.deepEqual([own.status, own.body.code], [403, 'role_required']);
  });

  test('409: the last owner, of two who lower each other at the same time one, and who has no account', async () => {
    const owner = await newOwner(app);
    const other = await newMember(app, owner, 'admin');
    const ids = {
      owner: (await byEmail(owner, owner.email)).id,
      other: (await byEmail(owner, other.email)).id,
    };
    const lower = (client: Client, member_id: string) =>
      client.patch('/attendance/members/update-role', { member_id, role: 'member' });
    const alone = await lower(owner, ids.owner);
    assert.deepEqual([alone.status, alone.body.code], [409, 'last_owner']);
    await owner.patch('/attendance/members/update-role', { member_id: ids.other, role: 'owner' });
    const answers = await Promise.all([lower(owner, ids.other), lower(other, ids.owner)]);
    assert.equal(
      answers.filter(({ status }) => status === 200).length,
      1,
      answers.map(({ text }) => text).join(),
    );
    const rest = (await newOwner(app)) as Client;
    const { member } = (await rest.post('/attendance/members', { name: '佐藤' })).body;
    const without = await rest.patch('/attendance/members/update-role', {
      member_id: member.id,
      role: 'member',
    });
    assert.deepEqual([without.status, without.body.code], [409, 'no_account']);
  });

  test('403 for a key, 422 for a member of another organization', async () => {
    const keyed = await newWorkplace(app);
    const refused = await keyed.patch('/attendance/members/update-role', {
      member_id: keyed.member_id,
      role: 'admin',
    });
    assert.deepEqual([refused.status, refused.body.code], [403, 'session_required']);
    const owner = await newOwner(app);
    const unknown = await owner.patch('/attendance/members/update-role', {
      member_id: keyed.member_id,
      role: 'admin',
    });
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_reference']);
  });
});
