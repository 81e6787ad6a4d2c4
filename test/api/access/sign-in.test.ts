import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
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
const strict = await startApp({ environment: { REQUIRE_EMAIL_VERIFICATION: 'true' } });
const closed = await startApp({ environment: { SIGN_UP: 'invited' } });

function signIn(email: string, password = PASSWORD, headers = {}, where = app) {
  return where.anonymous.post('/auth/sign-in/email', { email, password }, headers);
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
    const reply = await app.anonymous.post('/auth/sign-up/email', body);
    assert.equal(reply.status, 422, reply.text);
    const faults = reply.body.errors.map(
      ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
    );
    assert.deepEqual(faults.sort(), [
      '/admin unknown_field',
      '/email invalid_format',
      '/name invalid_characters',
      '/password too_short',
    ]);
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
    assert.equal(told!.to.address, email);
  });

  test('403 email_not_verified until the link is used, which works once', async () => {
    const email = newEmail();
    const made = await strict.anonymous.post('/auth/sign-up/email', { name: 'A', email, password: PASSWORD });
    const early = await signIn(email, PASSWORD, {}, strict);
    assert.equal(early.status, 403, early.text);
    assert.equal(early.body.code, 'email_not_verified');
    const token = await linkInMail(strict, 'email_verification', made.body.user.id);
    const confirmed = await strict.anonymous.get(`/auth/verify-email?token=${token}`);
    assert.deepEqual(confirmed.body, { status: true, user: null });
    assert.equal((await signIn(email, PASSWORD, {}, strict)).status, 200);
    const again = await strict.anonymous.get(`/auth/verify-email?token=${token}`);
    assert.equal(again.status, 410, again.text);
  });

  test('a wrong password is 401 before the address is spoken of', async () => {
    const email = newEmail();
    await strict.anonymous.post('/auth/sign-up/email', { name: 'A', email, password: PASSWORD });
    assert.equal((await signIn(email, 'another password', {}, strict)).status, 401);
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

describe('POST /auth/sign-in/email', () => {
  test('200: acts in the organization used last, and stands in its audit log', async () => {
    const owner = await newOwner(app);
    const first = owner.organization_id;
    await owner.post('/organizations', { name: 'Second' });
    await owner.post(`/organizations/${first}/activate`);
    const reply = await signIn(owner.email);
    assert.equal(reply.status, 200, reply.text);
    const session = withCookie(app, cookieOf(reply));
    assert.equal((await session.get('/organization')).body.organization.id, first);
    const { items } = (await session.get('/audit-logs?entity_type=session')).body;
    assert.equal(items[0].action, 'create');
    assert.deepEqual(items[0].actor, { type: 'user', id: owner.user_id });
  });

  test('200: acts in another organization when its person has left the last one', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    const own = (await member.post('/organizations', { name: 'Own' })).body.organization.id;
    await member.post(`/organizations/${owner.organization_id}/activate`);
    await owner.delete(`/members/${member.member_id}`);
    const session = withCookie(app, cookieOf(await signIn(member.email)));
    assert.equal((await session.get('/organization')).body.organization.id, own);
  });

  test('401: the same answer for a wrong password and an unknown account, after the same work', async () => {
    const { email } = await newPerson(app);
    const known = await countHashes(() => signIn(email, 'not the password'));
    const unknown = await countHashes(() => signIn(newEmail(), 'not the password'));
    assert.equal(known.reply.status, 401);
    assert.equal(unknown.reply.status, 401);
    const { request_id: _, ...told } = known.reply.body;
    const { request_id: __, ...same } = unknown.reply.body;
    assert.deepEqual(same, told);
    assert.equal(told.code, 'invalid_credentials');
    assert.deepEqual([known.hashes, unknown.hashes], [1, 1]);
  });

  test('403: asked for by the page of another site', async () => {
    const { email } = await newPerson(app);
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const reply = await signIn(email, PASSWORD, headers);
      assert.equal(reply.status, 403, JSON.stringify(headers));
      assert.equal(reply.body.code, 'cross_site_request');
    }
    assert.equal((await signIn(email, PASSWORD, { Origin: app.base_url })).status, 200);
  });

  test('429: after ten wrong tries even the right password, for this account alone, in every process', async () => {
    const now = new Date('2026-05-01T00:00:00Z');
    const here = await startApp({ now: () => now, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const there = await startApp({
      now: () => now,
      database: { url: here.database_url, database: here.database, drop: async () => {} },
      environment: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    const { email } = await newPerson(here);
    const other = await newPerson(here);
    const from = (address: number) => ({ 'X-Forwarded-For': `203.0.113.${address}` });
    const wrong = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        signIn(email, `wrong password ${index}`, from(index), index % 2 ? here : there),
      ),
    );
    const statuses = wrong.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 4);
    const right = await signIn(email, PASSWORD, from(99), there);
    assert.equal(right.status, 429, right.text);
    assert.equal(right.headers.get('retry-after'), '900');
    assert.equal((await signIn(other.email, PASSWORD, from(99), there)).status, 200);
    now.setMinutes(now.getMinutes() + 15);
    assert.equal((await signIn(email, PASSWORD, from(99), here)).status, 200);
  });

  test('429: after thirty wrong tries from one address, whatever X-Forwarded-For says', async () => {
    const here = await startApp();
    const { email } = await newPerson(here);
    for (let round = 0; round < 30; round++) {
      const headers = { 'X-Forwarded-For': `198.51.100.${round}` };
      const reply = await signIn(newEmail(), 'not the password', headers, here);
      assert.equal(reply.status, 401, reply.text);
    }
    const reply = await signIn(email, PASSWORD, { 'X-Forwarded-For': '198.51.100.200' }, here);
    assert.equal(reply.status, 429, reply.text);
  });

  test('200: right passwords are no guesses, however many', async () => {
    const { email } = await newPerson(app);
    for (let round = 0; round < 12; round++) assert.equal((await signIn(email)).status, 200);
  });
});

describe('a session', () => {
  test('401 after signing out, in every process; its end stands in the audit log', async () => {
    const owner = await newOwner(app);
    const there = await startApp({
      database: { url: app.database_url, database: app.database, drop: async () => {} },
    });
    const session = withCookie(app, cookieOf(await signIn(owner.email)));
    const cookie = cookieOf(await signIn(owner.email));
    const leaving = withCookie(app, cookie);
    const out = await leaving.post('/auth/sign-out');
    assert.deepEqual(out.body, { success: true });
    assert.match(out.headers.getSetCookie()[0]!, /^service\.session_token=; Max-Age=0/);
    const reply = await withCookie(there, cookie).get('/organization');
    assert.equal(reply.status, 401);
    assert.equal(reply.body.code, 'invalid_credentials');
    assert.equal((await leaving.get('/auth/get-session')).body, null);
    const { items } = (await session.get('/audit-logs?entity_type=session&action=delete')).body;
    assert.equal(items.length, 1);
  });

  test('401 with a cookie that was signed with another secret, or cut', async () => {
    const { cookie } = await newPerson(app);
    const forged = `${cookie.slice(0, cookie.indexOf('.', 20))}.${'A'.repeat(43)}%3D`;
    for (const wrong of [forged, cookie.slice(0, -6), 'service.session_token=x']) {
      assert.equal((await withCookie(app, wrong).get('/organizations')).status, 401, wrong);
    }
  });

  test('403: changes nothing for the page of another site', async () => {
    const owner = await newOwner(app);
    const reply = await owner.post('/api-keys', { name: 'x' }, { Origin: 'https://evil.example' });
    assert.equal(reply.status, 403);
    assert.equal(reply.body.code, 'cross_site_request');
  });

  test('Authorization decides alone, even beside a valid cookie', async () => {
    const owner = await newOwner(app);
    const reply = await owner.get('/organization', { Authorization: 'Bearer sk_wrong' });
    assert.equal(reply.status, 401);
  });

  test('the other paths of better-auth are not there', async () => {
    const { get, post } = await newPerson(app);
    for (const path of ['/auth/list-sessions', '/auth/ok', '/auth/error', '/auth/reset-password/x']) {
      assert.equal((await get(path)).status, 404, path);
    }
    for (const path of [
      '/auth/update-user',
      '/auth/delete-user',
      '/auth/change-email',
      '/auth/sign-in/social',
    ]) {
      assert.equal((await post(path, {})).status, 404, path);
    }
  });
});

function tokenOf(url: string): string {
  return url.split('/').at(-1)!;
}

/** Counts the password hashes that are computed meanwhile. */
async function countHashes<T>(run: () => Promise<T>): Promise<{ reply: T; hashes: number }> {
  let hashes = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') hashes++;
    },
  }).enable();
  const reply = await run();
  hook.disable();
  return { reply, hashes };
}
