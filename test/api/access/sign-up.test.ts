import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { lettersAbout, linkInMail } from '../../support/letters.ts';
import { cookieOf, newEmail, newPerson, PASSWORD, withCookie } from '../../support/people.ts';

const app = await startApp();
const strict = await startApp({ environment: { REQUIRE_EMAIL_VERIFICATION: 'true' } });
const closed = await startApp({ environment: { SIGN_UP: 'invited' } });

function signIn(email: string, password = PASSWORD) {
  return strict.anonymous.post('/auth/sign-in/email', { email, password });
}

describe('POST /auth/sign-up/email', () => {
  test('200: makes an account and a session, with a cookie that scripts cannot read', async () => {
    const email = newEmail().toUpperCase();
    const reply = await app.anonymous.post('/auth/sign-up/email', {
      name: '山田 花子',
      email,
      password: PASSWORD,
    });
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.body.user.id, /^usr_/);
    assert.equal(reply.body.user.email, email.toLowerCase());
    const [cookie] = reply.headers.getSetCookie();
    assert.match(cookie!, /^service\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    const session = await withCookie(app, cookieOf(reply)).get('/auth/get-session');
    assert.match(session.body.session.id, /^ses_/);
    assert.equal(session.body.user.id, reply.body.user.id);
  });

  test('409: an address in use, where addresses need no confirmation', async () => {
    const { email } = await newPerson(app);
    const reply = await app.anonymous.post('/auth/sign-up/email', { name: 'B', email, password: PASSWORD });
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.code, 'already_exists');
    assert.equal(reply.body.errors[0].path, '/email');
  });

  test('200 or 409: of two at once with one address, one gets the account', async () => {
    const body = { name: 'B', email: newEmail(), password: PASSWORD };
    const replies = await Promise.all([1, 2].map(() => app.anonymous.post('/auth/sign-up/email', body)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
  });

  test('403: by invitation only', async () => {
    const body = { name: 'B', email: newEmail(), password: PASSWORD };
    const reply = await closed.anonymous.post('/auth/sign-up/email', body);
    assert.equal(reply.status, 403, reply.text);
    assert.equal(reply.body.code, 'sign_up_closed');
  });

  test('422: names every fault, and takes no line breaks in a name', async () => {
    const body = { name: 'A\r\nBcc: x@example.com', email: 'a@localhost', password: 'short', admin: true };
    const faults = [
      '/admin unknown_field',
      '/email invalid_format',
      '/name invalid_characters',
      '/password too_short',
    ];
    for (const email of ['a@localhost', 'none']) {
      const reply = await app.anonymous.post('/auth/sign-up/email', { ...body, email });
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), faults, email);
    }
  });
});

describe('sign-up where addresses must be confirmed', () => {
  test('200: a known and an unknown address are answered alike, and the owner of the known one is told', async () => {
    const email = newEmail();
    const first = await strict.anonymous.post('/auth/sign-up/email', {
      name: 'A',
      email,
      password: PASSWORD,
    });
    const second = await strict.anonymous.post('/auth/sign-up/email', {
      name: 'A',
      email,
      password: PASSWORD,
    });
    assert.equal(first.status, 200, first.text);
    assert.equal(second.status, 200, second.text);
    assert.equal(first.body.token, null);
    assert.deepEqual(first.headers.getSetCookie(), []);
    assert.deepEqual(Object.keys(second.body.user).sort(), Object.keys(first.body.user).sort());
    assert.notEqual(second.body.user.id, first.body.user.id);
    const confirmations = await lettersAbout(strict, 'email_verification', first.body.user.id);
    assert.equal(confirmations.length, 2);
    await strict.anonymous.get(`/auth/verify-email?token=${tokenOf(confirmations[0]!.action!.url)}`);
    await strict.anonymous.post('/auth/sign-up/email', { name: 'A', email, password: PASSWORD });
    const [told] = await lettersAbout(strict, 'account_exists', first.body.user.id);
    assert.equal(told!.to[0]?.address, email);
  });

  test('403 email_not_verified until the link is used, which works once', async () => {
    const email = newEmail();
    const made = await strict.anonymous.post('/auth/sign-up/email', { name: 'A', email, password: PASSWORD });
    const early = await signIn(email);
    assert.equal(early.status, 403, early.text);
    assert.equal(early.body.code, 'email_not_verified');
    const token = await linkInMail(strict, 'email_verification', made.body.user.id);
    const confirmed = await strict.anonymous.get(`/auth/verify-email?token=${token}`);
    assert.deepEqual(confirmed.body, { status: true, user: null });
    assert.equal((await signIn(email)).status, 200);
    const again = await strict.anonymous.get(`/auth/verify-email?token=${token}`);
    assert.equal(again.status, 410, again.text);
  });

  test('a wrong password is 401 before the address is spoken of', async () => {
    const email = newEmail();
    await strict.anonymous.post('/auth/sign-up/email', { name: 'A', email, password: PASSWORD });
    assert.equal((await signIn(email, 'another password')).status, 401);
  });

  test('POST /auth/send-verification-email: 200 for waiting, confirmed and unknown addresses alike', async () => {
    const email = newEmail();
    const made = await strict.anonymous.post('/auth/sign-up/email', { name: 'A', email, password: PASSWORD });
    const replies = await Promise.all(
      [email, newEmail()].map((address) =>
        strict.anonymous.post('/auth/send-verification-email', { email: address }),
      ),
    );
    for (const reply of replies) assert.deepEqual([reply.status, reply.body], [200, { status: true }]);
    assert.equal((await lettersAbout(strict, 'email_verification', made.body.user.id)).length, 2);
  });
});

function tokenOf(url: string): string {
  return url.split('/').at(-1)!;
}
