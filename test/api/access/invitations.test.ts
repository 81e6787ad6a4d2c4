import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { lettersAbout, linkInMail } from '../../support/letters.ts';
import {
  cookieOf,
  newEmail,
  newMember,
  newOwner,
  newPerson,
  PASSWORD,
  withCookie,
} from '../../support/people.ts';

const app = await startApp();
const NAME = '田中 太郎';

async function invite(role = 'member', email = newEmail()) {
  const owner = await newOwner(app);
  const reply = await owner.post('/invitations', { email, role });
  assert.equal(reply.status, 201, reply.text);
  const { invitation } = reply.body;
  const token = await linkInMail(app, 'invitation', invitation.id);
  return { owner, email, invitation, token, reply };
}

function accept(body: object, client = app.anonymous) {
  return client.post('/invitations/accept', body);
}

describe('POST /invitations', () => {
  test('201: the token is in the mail and in no answer; only its hash is kept', async () => {
    const { owner, email, invitation, token, reply } = await invite('manager');
    assert.equal(invitation.status, 'pending');
    assert.equal(invitation.invited_by, owner.user_id);
    const days = (Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)) / 86_400_000;
    assert.equal(days, 7);
    assert.ok(!reply.text.includes(token));
    const [letter] = await lettersAbout(app, 'invitation', invitation.id);
    assert.equal(letter!.to[0]?.address, email);
    const stored = await app.database.withConnection('*', ({ query }) =>
      query("SELECT 1 FROM invitation_tokens WHERE encode(token_hash, 'escape') LIKE '%' || $1 || '%'", [
        token,
      ]),
    );
    assert.equal(stored.length, 0);
    const shown = await owner.get(`/invitations/${invitation.id}`);
    assert.deepEqual(shown.body.invitation, invitation);
  });

  test('409: a present member, and an address that is invited already, however it is written', async () => {
    const { owner, email } = await invite();
    const again = await owner.post('/invitations', { email: email.toUpperCase(), role: 'member' });
    assert.equal(again.status, 409, again.text);
    const member = await newMember(app, owner, 'member');
    const reply = await owner.post('/invitations', { email: member.email, role: 'member' });
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.code, 'already_exists');
  });

  test('201 once: of two that invite one address at the same time', async () => {
    const owner = await newOwner(app);
    const email = newEmail();
    const replies = await Promise.all(
      [1, 2].map(() => owner.post('/invitations', { email, role: 'member' })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
  });

  test('403: an admin gives only roles below their own; managers and keys invite nobody', async () => {
    const owner = await newOwner(app);
    const admin = await newMember(app, owner, 'admin');
    for (const role of ['owner', 'admin']) {
      assert.equal((await admin.post('/invitations', { email: newEmail(), role })).status, 403, role);
    }
    assert.equal((await admin.post('/invitations', { email: newEmail(), role: 'manager' })).status, 201);
    const manager = await newMember(app, owner, 'manager');
    assert.equal((await manager.post('/invitations', { email: newEmail(), role: 'member' })).status, 403);
    const byKey = await app.actor();
    const reply = await byKey.post('/invitations', { email: newEmail(), role: 'member' });
    assert.equal(reply.body.code, 'session_required');
  });

  test('a name with markup is text in the mail, and no line of a name becomes a header', async () => {
    const person = await newPerson(app, { name: '<img src=x onerror=alert(1)>' });
    await person.post('/organizations', { name: '<script>alert(1)</script>' });
    const reply = await person.post('/invitations', { email: newEmail(), role: 'member' });
    const [letter] = await lettersAbout(app, 'invitation', reply.body.invitation.id);
    const { renderLetter } = await import('../../../shared/platform/mailer/letter.ts');
    const { html } = renderLetter(letter!);
    assert.ok(!html.includes('<script>') && !html.includes('<img'), html);
    assert.equal((await person.patch('/organization', { name: 'A\r\nBcc: b@example.com' })).status, 422);
  });
});

describe('POST /invitations/accept', () => {
  test('200: signs up, verifies the address, joins, and the session acts there', async () => {
    const { owner, email, invitation, token } = await invite('manager');
    const reply = await accept({ token, name: NAME, password: PASSWORD });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.organization.id, owner.organization_id);
    assert.equal(reply.body.member.role, 'manager');
    assert.equal(reply.body.member.email, email);
    const session = withCookie(app, cookieOf(reply));
    assert.equal((await session.get('/organization')).body.organization.id, owner.organization_id);
    const { user } = (await session.get('/auth/get-session')).body;
    assert.deepEqual([user.email, user.emailVerified], [email, true]);
    assert.equal((await owner.get(`/invitations/${invitation.id}`)).body.invitation.status, 'accepted');
    const { items } = (await owner.get(`/audit-logs?actor_id=${user.id}`)).body;
    assert.deepEqual(
      items.map(({ entity_type, action }: Record<string, string>) => `${entity_type} ${action}`).sort(),
      ['invitation update', 'member create', 'session create'],
    );
    const signedIn = await app.anonymous.post('/auth/sign-in/email', { email, password: PASSWORD });
    assert.equal(signedIn.status, 200, signedIn.text);
  });

  test('200: works where sign-up is closed', async () => {
    const closed = await startApp({
      database: { url: app.database_url, database: app.database, drop: async () => {} },
      environment: { SIGN_UP: 'invited', REQUIRE_EMAIL_VERIFICATION: 'true' },
    });
    const { token } = await invite();
    const reply = await accept({ token, name: NAME, password: PASSWORD }, closed.anonymous);
    assert.equal(reply.status, 200, reply.text);
  });

  test('200: somebody signed in needs the token alone, and keeps their session', async () => {
    const person = await newPerson(app);
    const { owner, token } = await invite('member', person.email);
    const reply = await accept({ token }, person);
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(reply.headers.getSetCookie(), []);
    assert.equal((await person.get('/organization')).body.organization.id, owner.organization_id);
  });

  test('200: somebody with a confirmed account signs in with its password, and only with it', async () => {
    const first = await newMember(app, await newOwner(app), 'member');
    const { owner, token } = await invite('member', first.email);
    const wrong = await accept({ token, name: NAME, password: 'not the password' });
    assert.equal(wrong.status, 401, wrong.text);
    assert.equal(wrong.body.code, 'invalid_credentials');
    const reply = await accept({ token, password: PASSWORD });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.member.user_id, first.user_id);
    assert.equal(reply.body.member.name, '試験 次郎');
    assert.equal(reply.body.organization.id, owner.organization_id);
  });

  test('200: who holds the mail takes over an account that somebody else made with their address', async () => {
    const intruder = await newPerson(app, { password: 'password of somebody else' });
    const { token } = await invite('owner', intruder.email);
    const reply = await accept({ token, name: NAME, password: PASSWORD });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await intruder.get('/organizations')).status, 401);
    const body = { email: intruder.email, password: 'password of somebody else' };
    assert.equal((await app.anonymous.post('/auth/sign-in/email', body)).status, 401);
  });

  test('403: somebody signed in with another address', async () => {
    const person = await newPerson(app);
    const { token } = await invite();
    const reply = await accept({ token }, person);
    assert.equal(reply.status, 403, reply.text);
    assert.equal(reply.body.code, 'wrong_account');
  });

  test('403: sent by the page of another site', async () => {
    const person = await newPerson(app);
    const { token } = await invite('member', person.email);
    const reply = await person.post('/invitations/accept', { token }, { Origin: 'https://evil.example' });
    assert.equal(reply.body.code, 'cross_site_request');
  });

  test('404: an unknown token, and 429 for who goes on trying', async () => {
    // All in one minute by its clock: each has a count of its own.
    const now = new Date();
    const here = await startApp({ now: () => now });
    for (let round = 0; round < 60; round++) {
      const reply = await accept({ token: 'A'.repeat(43) }, here.anonymous);
      assert.equal(reply.status, 404, reply.text);
    }
    assert.equal((await accept({ token: 'A'.repeat(43) }, here.anonymous)).status, 429);
  });

  test('410: taken back, or older than seven days; 409 when accepted before', async () => {
    const revoked = await invite();
    await revoked.owner.delete(`/invitations/${revoked.invitation.id}`);
    const gone = await accept({ token: revoked.token, name: NAME, password: PASSWORD });
    assert.equal(gone.status, 410, gone.text);
    const old = await invite();
    await app.database.withConnection('*', ({ query }) =>
      query("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", [
        old.invitation.id,
      ]),
    );
    const late = await accept({ token: old.token, name: NAME, password: PASSWORD });
    assert.equal(late.status, 410, late.text);
    assert.equal(late.body.code, 'expired');
    const used = await invite();
    await accept({ token: used.token, name: NAME, password: PASSWORD });
    const again = await accept({ token: used.token, name: NAME, password: PASSWORD });
    assert.equal(again.status, 409, again.text);
    assert.deepEqual([again.body.status, again.body.current_status], [409, 'accepted']);
  });

  test('422: what is missing is named', async () => {
    const { token } = await invite();
    const reply = await accept({ token });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(
      reply.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
      ['/name required', '/password required'],
    );
    const short = await accept({ token, name: NAME, password: 'short' });
    assert.equal(short.body.errors[0].code, 'too_short');
  });

  test('accepted in parallel, signed out and signed in: one member, one account', async () => {
    for (let round = 0; round < 4; round++) {
      const { owner, token, email } = await invite();
      const replies = await Promise.all(
        [1, 2, 3, 4].map(() => accept({ token, name: NAME, password: PASSWORD })),
      );
      const statuses = replies.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, 409, 409, 409]);
      assert.equal((await owner.get('/members')).body.total, 2);
      const again = await owner.post('/invitations', { email, role: 'member' });
      assert.equal(again.status, 409);
    }
    const person = await newPerson(app);
    const { owner, token } = await invite('member', person.email);
    const replies = await Promise.all([1, 2, 3].map(() => accept({ token }, person)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409]);
    assert.equal((await owner.get('/members')).body.total, 2);
  });

  test('accepted while it is taken back: one of the two, and no member beside a revoked invitation', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, invitation, token } = await invite();
      const [accepted, revoked] = await Promise.all([
        accept({ token, name: NAME, password: PASSWORD }),
        owner.delete(`/invitations/${invitation.id}`),
      ]);
      const both = [accepted!.status, revoked!.status].join();
      assert.ok(both === '200,409' || both === '410,200', both);
      const members = (await owner.get('/members')).body.total;
      assert.equal(members, accepted!.status === 200 ? 2 : 1);
    }
  });
});

describe('resending and taking back', () => {
  test('200: another link in the place of the first, seven more days; an expired one is open again', async () => {
    const { owner, invitation, token } = await invite();
    await app.database.withConnection('*', ({ query }) =>
      query("UPDATE invitations SET expires_at = now() - interval '1 day' WHERE id = $1", [invitation.id]),
    );
    assert.equal((await owner.get('/invitations?status=expired')).body.total, 1);
    const reply = await owner.post(`/invitations/${invitation.id}/resend`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.invitation.status, 'pending');
    const first = await accept({ token, name: NAME, password: PASSWORD });
    assert.equal(first.status, 404, first.text);
    const second = await linkInMail(app, 'invitation', invitation.id);
    assert.notEqual(second, token);
    assert.equal((await accept({ token: second, name: NAME, password: PASSWORD })).status, 200);
    assert.equal((await owner.post(`/invitations/${invitation.id}/resend`)).status, 409);
  });

  test('201: an expired one makes room for a new one', async () => {
    const { owner, invitation, email } = await invite();
    await app.database.withConnection('*', ({ query }) =>
      query("UPDATE invitations SET expires_at = now() - interval '1 day' WHERE id = $1", [invitation.id]),
    );
    const reply = await owner.post('/invitations', { email, role: 'manager' });
    assert.equal(reply.status, 201, reply.text);
    assert.equal((await owner.get(`/invitations/${invitation.id}`)).body.invitation.status, 'expired');
  });

  test('404: a second time, and for another organization', async () => {
    const { owner, invitation } = await invite();
    const other = await newOwner(app);
    assert.equal((await other.delete(`/invitations/${invitation.id}`)).status, 404);
    assert.equal((await owner.delete(`/invitations/${invitation.id}`)).status, 200);
    assert.equal((await owner.delete(`/invitations/${invitation.id}`)).status, 404);
    assert.equal((await owner.get('/invitations?status=revoked')).body.total, 1);
  });
});
