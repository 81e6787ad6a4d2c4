import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { domains } from '../../../shared/domains.ts';
import type { Role } from '../../../shared/kernel/scope.ts';
import { purposesOf } from '../../../shared/platform/mailer/purposes.ts';
import { startApp } from '../../support/app.ts';
import { visitor } from '../../support/forms.ts';
import { composingWith, lettersAbout, linkInMail } from '../../support/letters.ts';
import { newEmail, newMember, newOwner, PASSWORD } from '../../support/people.ts';

const app = await startApp();

/** An owner, a member of the role who invites, and what they invited somebody as, with the link. */
async function invitedBy(role: Role, as: Role) {
  const owner = await newOwner(app);
  const inviter = await newMember(app, owner, role);
  const reply = await inviter.post('/invitations', { email: newEmail(), role: as });
  assert.equal(reply.status, 201, reply.text);
  const { id } = reply.body.invitation;
  return { owner, inviter, id, token: await linkInMail(app, 'invitation', id) };
}

function accept(token: string) {
  return app.anonymous.post('/invitations/accept', { token, name: '田中 太郎', password: PASSWORD });
}

/** Makes the membership what an earlier release would have left: without a look at what the member invited. */
function asEarlier(member_id: string, change: string) {
  return app.database.withConnection('*', ({ query }) =>
    query(`UPDATE members SET ${change} WHERE id = $1`, [member_id]),
  );
}

describe('who leaves', () => {
  test('410: takes their pending invitations along, whatever the role', async () => {
    const { owner, inviter, id, token } = await invitedBy('owner', 'member');
    assert.equal((await owner.delete(`/members/${inviter.member_id}`)).status, 200);
    assert.equal((await owner.get(`/invitations/${id}`)).body.invitation.status, 'revoked');
    const reply = await accept(token);
    assert.deepEqual([reply.status, reply.body.code], [410, 'expired']);
    assert.equal((await visitor(app).get(`/invite/${token}`)).status, 410);
    const { items } = (await owner.get(`/audit-logs?entity_id=${id}&action=delete`)).body;
    assert.deepEqual(items[0].changes.status, ['pending', 'revoked']);
    assert.equal(items[0].actor.id, owner.user_id);
  });

  test('200: invitations of others, and accepted ones, stay as they are', async () => {
    const { owner, inviter, id, token } = await invitedBy('admin', 'member');
    const other = await owner.post('/invitations', { email: newEmail(), role: 'owner' });
    assert.equal((await accept(token)).status, 200);
    await owner.delete(`/members/${inviter.member_id}`);
    assert.equal((await owner.get(`/invitations/${id}`)).body.invitation.status, 'accepted');
    const left = await owner.get(`/invitations/${other.body.invitation.id}`);
    assert.equal(left.body.invitation.status, 'pending');
  });

  test('removed while the invitation is accepted: whoever joined did so before', async () => {
    for (let round = 0; round < 6; round++) {
      const { owner, inviter, id, token } = await invitedBy('owner', 'owner');
      const [accepted, removed] = await Promise.all([
        accept(token),
        owner.delete(`/members/${inviter.member_id}`),
      ]);
      assert.equal(removed!.status, 200, removed!.text);
      const { status } = (await owner.get(`/invitations/${id}`)).body.invitation;
      assert.equal(accepted!.status, status === 'accepted' ? 200 : 410, accepted!.text);
      assert.notEqual(status, 'pending');
    }
  });

  test('removed while inviting: no invitation stays pending', async () => {
    for (let round = 0; round < 4; round++) {
      const owner = await newOwner(app);
      const inviter = await newMember(app, owner, 'owner');
      const [removed, ...invited] = await Promise.all([
        owner.delete(`/members/${inviter.member_id}`),
        ...Array.from({ length: 4 }, () =>
          inviter.post('/invitations', { email: newEmail(), role: 'owner' }),
        ),
      ]);
      assert.equal(removed!.status, 200, removed!.text);
      for (const { status, text } of invited) assert.ok([201, 401].includes(status), text);
      assert.equal((await owner.get('/invitations?status=pending')).body.total, 0);
    }
  });

  test('410: also where an earlier release removed or lowered the inviter', async () => {
    for (const change of ['left_at = now()', "role = 'manager'"]) {
      const { inviter, token } = await invitedBy('owner', 'member');
      await asEarlier(inviter.member_id, change);
      const reply = await accept(token);
      assert.deepEqual([reply.status, reply.body.code], [410, 'expired'], change);
    }
  });
});

describe('who is lowered', () => {
  test('410: the invitations that their new role may not give are revoked, the others stay', async () => {
    const { owner, inviter, id, token } = await invitedBy('owner', 'admin');
    const lower = await inviter.post('/invitations', { email: newEmail(), role: 'member' });
    const lowered = await owner.patch(`/members/${inviter.member_id}`, { role: 'admin' });
    assert.equal(lowered.status, 200, lowered.text);
    assert.equal((await owner.get(`/invitations/${id}`)).body.invitation.status, 'revoked');
    assert.equal((await accept(token)).status, 410);
    const kept = await linkInMail(app, 'invitation', lower.body.invitation.id);
    assert.equal((await accept(kept)).status, 200);
  });

  test('410: a manager invites nobody, so nothing of theirs stays', async () => {
    const { owner, inviter, id } = await invitedBy('admin', 'member');
    await owner.patch(`/members/${inviter.member_id}`, { role: 'manager' });
    assert.equal((await owner.get(`/invitations/${id}`)).body.invitation.status, 'revoked');
  });
});

describe('one living link', () => {
  test('a mail that is sent again, or only now after a newer one, leaves one link that works', async () => {
    const { owner, id, token } = await invitedBy('owner', 'member');
    const again = await linkInMail(app, 'invitation', id);
    assert.equal((await accept(token)).status, 404, 'the next try of the same mail replaces the link');
    await owner.post(`/invitations/${id}/resend`);
    assert.equal((await accept(again)).status, 404);
    assert.equal(
      (await lettersAbout(app, 'invitation', id)).length,
      1,
      'the older mail has become pointless',
    );
    const newest = await linkInMail(app, 'invitation', id);
    assert.equal((await accept(newest)).status, 200);
  });

  test('composed by several workers at once: one link', async () => {
    const { owner, id } = await invitedBy('owner', 'member');
    const { organization_id } = owner;
    const [mail] = await app.database.withConnection('*', ({ query }) =>
      query<{ mail_id: string }>('SELECT mail_id FROM invitations WHERE id = $1', [id]),
    );
    const compose = () =>
      app.database.withConnection(organization_id, async (connection) => {
        await connection.query('BEGIN');
        const given = { mail_id: mail!.mail_id, connection, organization_id, locale: 'ja' as const };
        const composing = composingWith({ ...given, now: new Date(), base_url: app.base_url });
        await purposesOf(domains).get('invitation')!.compose({ invitation_id: id }, composing);
        await connection.query('COMMIT');
      });
    await Promise.all([compose(), compose(), compose()]);
    const tokens = await app.database.withConnection('*', ({ query }) =>
      query('SELECT 1 FROM invitation_tokens WHERE invitation_id = $1', [id]),
    );
    assert.equal(tokens.length, 1);
  });
});
