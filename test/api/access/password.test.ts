import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { lettersAbout, linkInMail } from '../../support/letters.ts';
import {
  browserOf,
  cookieOf,
  fromAnywhere,
  newEmail,
  newOwner,
  newPerson,
  PASSWORD,
  withCookie,
} from '../../support/people.ts';

const TRUSTING = { environment: { TRUSTED_PROXIES: '127.0.0.1' } };
const app = await startApp(TRUSTING);
const FRESH = 'another quiet sentence';

function signIn(email: string, password: string, headers = {}) {
  return app.anonymous.post('/auth/sign-in/email', { email, password }, { ...fromAnywhere(), ...headers });
}

/** Uses up the tries of the account, from browsers that it does not know. */
async function guess(email: string) {
  await Promise.all(Array.from({ length: 10 }, () => signIn(email, 'not the password')));
  assert.equal((await signIn(email, FRESH)).status, 429);
}

describe('POST /auth/change-password', () => {
  test('200: the session goes on under another cookie, all others and copies of it end', async () => {
    const owner = await newOwner(app);
    const elsewhere = withCookie(app, cookieOf(await signIn(owner.email, PASSWORD)));
    const reply = await owner.post('/auth/change-password', {
      currentPassword: PASSWORD,
      newPassword: FRESH,
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.user.id, owner.user_id);
    const here = withCookie(app, cookieOf(reply));
    assert.equal((await here.get('/organization')).body.organization.id, owner.organization_id);
    assert.equal((await elsewhere.get('/organization')).status, 401);
    assert.equal((await owner.get('/organization')).status, 401);
    assert.equal((await signIn(owner.email, PASSWORD)).status, 401);
    assert.equal((await signIn(owner.email, FRESH)).status, 200);
  });

  test('200: the browser stays known, whatever others guess afterwards', async () => {
    const person = await newPerson(app);
    const body = { currentPassword: PASSWORD, newPassword: FRESH };
    const reply = await person.post('/auth/change-password', body);
    await guess(person.email);
    const known = await signIn(person.email, FRESH, { Cookie: browserOf(reply) });
    assert.equal(known.status, 200, known.text);
  });

  test('422: the present password is wrong; 429 for who goes on guessing it', async () => {
    const person = await newPerson(app);
    const guess = () =>
      person.post('/auth/change-password', { currentPassword: 'a wrong guess', newPassword: FRESH });
    const reply = await guess();
    assert.equal(reply.status, 422, reply.text);
    assert.equal(reply.body.errors[0].code, 'wrong_password');
    for (let round = 1; round < 10; round++) assert.equal((await guess()).status, 422);
    assert.equal((await guess()).status, 429);
  });

  test('a sign-in with the old password that is under way meanwhile leaves no session behind', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await newPerson(app);
      const [changed, ...signedIn] = await Promise.all([
        person.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: FRESH }),
        ...Array.from({ length: 4 }, () => signIn(person.email, PASSWORD)),
      ]);
      assert.equal(changed.status, 200, changed.text);
      for (const reply of signedIn.filter(({ status }) => status === 200)) {
        assert.equal((await withCookie(app, cookieOf(reply)).get('/organizations')).status, 401);
      }
    }
  });
});

describe('a forgotten password', () => {
  test('200: the link sets a new one, once; all sessions end and the address counts as confirmed', async () => {
    const person = await newPerson(app);
    const asked = await app.anonymous.post('/auth/request-password-reset', { email: person.email });
    assert.equal(asked.status, 200, asked.text);
    const token = await linkInMail(app, 'password_reset', person.user_id);
    const replies = await Promise.all(
      [1, 2, 3].map((number) =>
        app.anonymous.post('/auth/reset-password', { token, newPassword: `${FRESH} ${number}` }),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 410, 410]);
    const used = replies.findIndex(({ status }) => status === 200) + 1;
    assert.equal((await person.get('/organizations')).status, 401);
    const reply = await signIn(person.email, `${FRESH} ${used}`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.user.emailVerified, true);
  });

  test('200: the new password signs in at once, although anybody had used up the tries of the account', async () => {
    const person = await newPerson(app);
    await app.anonymous.post('/auth/request-password-reset', { email: person.email });
    const token = await linkInMail(app, 'password_reset', person.user_id);
    await Promise.all(Array.from({ length: 10 }, () => signIn(person.email, 'not the password')));
    const refused = await signIn(person.email, PASSWORD);
    assert.equal(refused.status, 429, refused.text);
    assert.match(refused.body.detail, /set a new password by mail/);
    assert.equal(
      (await app.anonymous.post('/auth/reset-password', { token, newPassword: FRESH })).status,
      200,
    );
    assert.equal((await signIn(person.email, FRESH)).status, 200);
  });

  test('200: the browser that sets the new password is known, although somebody takes the tries it gave back', async () => {
    const person = await newPerson(app);
    await guess(person.email);
    await app.anonymous.post('/auth/request-password-reset', { email: person.email });
    const token = await linkInMail(app, 'password_reset', person.user_id);
    const reset = await app.anonymous.post('/auth/reset-password', { token, newPassword: FRESH });
    assert.equal(reset.status, 200, reset.text);
    await guess(person.email);
    const known = await signIn(person.email, FRESH, { Cookie: browserOf(reset) });
    assert.equal(known.status, 200, known.text);
  });

  test('429: nobody can flood a mailbox through its sub-addresses', async () => {
    const [local, domain] = newEmail().split('@');
    const ask = (_: unknown, index: number) =>
      app.anonymous.post('/auth/request-password-reset', { email: `${local}+${index}@${domain}` });
    const statuses = (await Promise.all(Array.from({ length: 12 }, ask))).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 10);
  });

  test('200: tells of living keys in all organizations, and revokes them where asked', async () => {
    const person = await newOwner(app);
    const keys = [(await person.post('/api-keys', { name: 'one' })).body];
    await person.post('/organizations', { name: 'Second' });
    keys.push((await person.post('/api-keys', { name: 'two' })).body);
    const reset = async (more: object) => {
      await app.anonymous.post('/auth/request-password-reset', { email: person.email });
      const token = await linkInMail(app, 'password_reset', person.user_id);
      return app.anonymous.post('/auth/reset-password', { token, newPassword: FRESH, ...more });
    };
    const works = ({ secret }: { secret: string }) =>
      app.anonymous.get('/crm/tags', { Authorization: `Bearer ${secret}` }).then(({ status }) => status);
    assert.deepEqual((await reset({})).body, { status: true, livingApiKeys: 2 });
    assert.deepEqual(await Promise.all(keys.map(works)), [200, 200]);
    assert.deepEqual((await reset({ revokeApiKeys: true })).body, { status: true, livingApiKeys: 0 });
    assert.deepEqual(await Promise.all(keys.map(works)), [401, 401]);
    const session = withCookie(app, cookieOf(await signIn(person.email, FRESH)));
    await session.post(`/organizations/${person.organization_id}/activate`);
    const audit = (await session.get(`/audit-logs?entity_id=${keys[0].api_key.id}&action=delete`)).body.items;
    assert.deepEqual([audit.length, audit[0].actor.id], [1, person.user_id]);
    const third = (await session.post('/api-keys', { name: 'three' })).body;
    const revoked = await session.post('/auth/revoke-api-keys');
    assert.deepEqual([revoked.status, revoked.body.revokedApiKeys], [200, 1], revoked.text);
    assert.equal(await works(third), 401);
  });

  test('200 and no mail for an unknown address, with the same answer', async () => {
    const { email, user_id } = await newPerson(app);
    const known = await app.anonymous.post('/auth/request-password-reset', { email });
    const unknown = await app.anonymous.post('/auth/request-password-reset', { email: newEmail() });
    assert.equal(unknown.text, known.text);
    assert.equal((await lettersAbout(app, 'password_reset', user_id)).length, 1);
  });

  test('429: nobody can flood a mailbox', async () => {
    const { email, user_id } = await newPerson(app);
    const ask = () => app.anonymous.post('/auth/request-password-reset', { email });
    const statuses = (await Promise.all(Array.from({ length: 12 }, ask))).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 10);
    assert.equal((await lettersAbout(app, 'password_reset', user_id)).length, 10);
  });

  test('410: an unknown, a malformed, and a used link are the same', async () => {
    for (const token of ['x', 'A'.repeat(43), "' OR 1=1 --"]) {
      const reply = await app.anonymous.post('/auth/reset-password', { token, newPassword: FRESH });
      assert.equal(reply.status, 410, reply.text);
      assert.equal(reply.body.code, 'expired');
    }
  });
});
