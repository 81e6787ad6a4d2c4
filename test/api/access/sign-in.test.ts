import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { countHashes } from '../../support/hashes.ts';
import { linkInMail } from '../../support/letters.ts';
import {
  browserOf,
  cookieOf,
  fromAnywhere,
  newEmail,
  newMember,
  newOwner,
  newPerson,
  PASSWORD,
  withCookie,
} from '../../support/people.ts';

const TRUSTING = { environment: { TRUSTED_PROXIES: '127.0.0.1' } };
const app = await startApp(TRUSTING);

function signIn(email: string, password = PASSWORD, headers = {}, where = app) {
  return where.anonymous.post('/auth/sign-in/email', { email, password }, { ...fromAnywhere(), ...headers });
}

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

  test('429: wrong tries beyond thirty of one address, whatever X-Forwarded-For says; right ones pass', async () => {
    const here = await startApp();
    const { email } = await newPerson(here);
    for (let round = 0; round < 30; round++) {
      const headers = { 'X-Forwarded-For': `198.51.100.${round}` };
      const reply = await signIn(newEmail(), 'not the password', headers, here);
      assert.equal(reply.status, 401, reply.text);
    }
    const address = { 'X-Forwarded-For': '198.51.100.200' };
    const wrong = await signIn(newEmail(), 'not the password', address, here);
    assert.equal(wrong.status, 429, wrong.text);
    assert.ok(Number(wrong.headers.get('retry-after')) > 0);
    assert.equal((await signIn(email, PASSWORD, address, here)).status, 200);
  });

  test('429: an address whose tries are used up takes none of the tries that other addresses have for an account', async () => {
    const now = new Date('2026-05-01T00:00:00Z');
    const environment = { TRUSTED_PROXIES: '127.0.0.1' };
    const here = await startApp({ now: () => now, environment });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const [spent, other] = [from('203.0.113.1'), from('203.0.113.2')];
    for (let round = 0; round < 30; round++) await signIn(newEmail(), 'not the password', spent, here);
    const { email } = await newPerson(here);
    assert.equal((await signIn(email, PASSWORD, spent, here)).status, 200);
    for (let round = 0; round < 12; round++) {
      assert.equal((await signIn(email, 'not the password', spent, here)).status, 429);
    }
    assert.equal((await signIn(email, PASSWORD, spent, here)).status, 429, 'it may not guess without end');
    assert.equal((await signIn(email, PASSWORD, other, here)).status, 200);
  });

  test('429: who goes on guessing a closed account uses up the tries of the own address', async () => {
    const now = new Date('2026-05-01T00:00:00Z');
    const here = await startApp({ now: () => now, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const { email, user_id } = await newPerson(here);
    const guesser = { 'X-Forwarded-For': '203.0.113.1' };
    const owner = { 'X-Forwarded-For': '203.0.113.2' };
    for (let round = 0; round < 30; round++) await signIn(email, 'not the password', guesser, here);
    await here.anonymous.post('/auth/request-password-reset', { email }, owner);
    const token = await linkInMail(here, 'password_reset', user_id);
    const newPassword = 'another quiet sentence';
    const reset = await here.anonymous.post('/auth/reset-password', { token, newPassword }, owner);
    assert.equal(reset.status, 200, reset.text);
    for (let round = 0; round < 12; round++) await signIn(email, 'not the password', guesser, here);
    assert.equal((await signIn(email, newPassword, owner, here)).status, 200);
  });

  test('200: the known browser of a guessed account has tries of its own, other browsers wait', async () => {
    const { email, browser } = await guessed();
    const known = { Cookie: browser };
    assert.equal((await signIn(email, PASSWORD)).status, 429);
    const reply = await signIn(email, PASSWORD, known);
    assert.equal(reply.status, 200, reply.text);
    for (let round = 0; round < 10; round++) {
      assert.equal((await signIn(email, 'not the password', known)).status, 401);
    }
    assert.equal((await signIn(email, PASSWORD, known)).status, 429);
  });

  test('429: a browser known to another account, or with a forged, old or foreign cookie, is not known', async () => {
    const { email, browser } = await guessed();
    const other = await newPerson(app);
    const others = browserOf(await signIn(other.email));
    const [id, issued, signature] = browser.split('=')[1]!.split('.');
    const forged = [
      others,
      `service.browser=${id}.${issued}.${'A'.repeat(43)}`,
      `service.browser=${'B'.repeat(22)}.${issued}.${signature}`,
      `service.browser=${id}.zzzzzzzzz.${signature}`,
      'service.browser=',
      `service.browser=${'~'.repeat(5000)}`,
    ];
    for (const Cookie of forged)
      assert.equal((await signIn(email, PASSWORD, { Cookie })).status, 429, Cookie);
    const half_a_year = new Date(Date.now() + 181 * 24 * 60 * 60 * 1000);
    const later = await startApp({
      database: { url: app.database_url, database: app.database, drop: async () => {} },
      now: () => half_a_year,
      ...TRUSTING,
    });
    for (let round = 0; round < 10; round++) await signIn(email, 'not the password', {}, later);
    assert.equal((await signIn(email, PASSWORD, { Cookie: browser }, later)).status, 429);
  });

  test('200: one browser is known to the five accounts that signed in last', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => newPerson(app)));
    let browser = '';
    for (const { email } of people) browser = browserOf(await signIn(email, PASSWORD, { Cookie: browser }));
    assert.equal(browser.split('~').length, 5);
    for (const [person, status] of [
      [people[0]!, 429],
      [people[1]!, 200],
    ] as const) {
      const { email } = person;
      await Promise.all(Array.from({ length: 10 }, () => signIn(email, 'not the password')));
      assert.equal((await signIn(email, PASSWORD, { Cookie: browser })).status, status);
    }
  });

  test('its cookie is kept to https and to the host, and away from scripts', async () => {
    const secure = await startApp({ environment: { BASE_URL: 'https://bos.example.com' } });
    const { email } = await newPerson(secure);
    const reply = await signIn(email, PASSWORD, {}, secure);
    const cookie = reply.headers.getSetCookie().find((text) => text.includes('service.browser'));
    assert.match(
      cookie!,
      /^__Host-service\.browser=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
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

  test('401 from its end on, whatever its cookie says', async () => {
    let time = new Date();
    const timed = await startApp({ now: () => time });
    const person = await newPerson(timed);
    assert.equal((await person.get('/organizations')).status, 200);
    // The session began by the clock of the machine, some time after `time`.
    time = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000 + 1000);
    assert.equal((await person.get('/organizations')).body.code, 'invalid_credentials');
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

/** Somebody whose account has no tries left, and the browser that they signed in with before. */
async function guessed() {
  const { email } = await newPerson(app);
  const browser = browserOf(await signIn(email));
  await Promise.all(Array.from({ length: 10 }, () => signIn(email, 'not the password')));
  return { email, browser };
}
