import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { has_nginx, startNginx } from '../../support/nginx.ts';
import { basic, OPERATOR_PASSWORD, WITH_OPERATORS } from '../../support/operators.ts';
import { forwardTo } from '../../support/tcp-forward.ts';

/** The clock stands still: all guesses fall into one quarter of an hour. */
const now = new Date();
const app = await startApp({ environment: WITH_OPERATORS, now: () => now });
const embedded = await startApp({ environment: { EMBEDDED_DATABASE: 'true', ...WITH_OPERATORS } });
const closed = await startApp({ environment: { EMBEDDED_DATABASE: 'true' } });
const password = basic(OPERATOR_PASSWORD);

/** fetch sends no Host of one's own. */
function statusWith(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

const ask = async (path: string, headers: Record<string, string> = {}) =>
  fetch(app.base_url + path, { headers });

describe('200', () => {
  test('the password opens the pages, whatever the user name', async () => {
    const response = await ask('/ops/mailbox.json', password);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const nameless = Buffer.from(`:${OPERATOR_PASSWORD}`).toString('base64');
    assert.equal((await ask('/ops', { Authorization: `Basic ${nameless}` })).status, 200);
  });

  test('the right password passes whatever was guessed from its address', async () => {
    const own = await startApp({ environment: WITH_OPERATORS, now: () => now, time_limits: { guess: 1 } });
    const guess = (word: string) => fetch(`${own.base_url}/ops`, { headers: basic(word) });
    const statuses = await Promise.all(
      Array.from({ length: 14 }, async (_, index) => (await guess(`guess ${index}`)).status),
    );
    assert.equal(statuses.filter((status) => status === 401).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 4);
    assert.ok(Number((await guess('one more')).headers.get('retry-after')) > 0);
    assert.equal((await guess(OPERATOR_PASSWORD)).status, 200);
  });

  test('beyond the limit a guess waits for its turn, a browser that gave the right one before does not', async () => {
    const never = 24 * 60 * 60 * 1000;
    const own = await startApp({
      environment: WITH_OPERATORS,
      now: () => now,
      time_limits: { guess: never },
    });
    const leaving = new AbortController();
    const ask = (word: string, cookie = '') =>
      fetch(`${own.base_url}/ops`, {
        headers: { ...basic(word), Cookie: cookie },
        signal: leaving.signal,
      });
    const first = await ask(OPERATOR_PASSWORD);
    const cookie = first.headers.getSetCookie()[0]!.split(';')[0]!;
    assert.match(first.headers.getSetCookie()[0]!, /^service\.operator=.*; HttpOnly; SameSite=Lax$/);
    for (let round = 0; round < 10; round++) assert.equal((await ask(`guess ${round}`)).status, 401);
    const answered: string[] = [];
    const waiting = ['a wrong one', OPERATOR_PASSWORD].map((word) =>
      ask(word, 'service.operator=0.forged').then(
        () => answered.push(word),
        () => undefined,
      ),
    );
    for (let round = 0; round < 20; round++) {
      const known = await ask(OPERATOR_PASSWORD, cookie);
      assert.equal(known.status, 200);
      assert.deepEqual(known.headers.getSetCookie(), []);
    }
    for (let round = 0; round < 10; round++) {
      assert.equal((await ask(`guess ${round}`, cookie)).status, 401, 'it has ten of its own');
    }
    const stolen = ask('an eleventh', cookie).then(
      () => answered.push('stolen'),
      () => undefined,
    );
    assert.equal((await fetch(`${own.base_url}/ops`)).status, 401);
    assert.deepEqual(answered, []);
    leaving.abort();
    await Promise.all([...waiting, stolen]);
  });
});

describe('401', () => {
  test('without a password the browser is asked for one', async () => {
    const response = await ask('/ops');
    assert.equal(response.status, 401);
    assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm=/);
  });

  test('to come from this machine, or to say so, opens nothing', async () => {
    const url = `${embedded.base_url}/ops/mailbox.json`;
    assert.equal(await statusWith(url, {}), 401);
    assert.equal(await statusWith(url, { Host: 'localhost:3000' }), 401);
    assert.equal(await statusWith(url, { 'X-Forwarded-For': '127.0.0.1' }), 401);
  });

  test('through a plain TCP forward', async () => {
    const port = await forwardTo(Number(new URL(embedded.base_url).port));
    const url = `http://127.0.0.1:${port}/ops/mailbox.json`;
    assert.equal(await statusWith(url, { Host: 'localhost' }), 401);
    assert.equal(await statusWith(url, { Host: 'localhost', ...password }), 200);
  });

  test('through nginx that hands on without a word', { skip: has_nginx ? false : 'no nginx' }, async () => {
    const { port } = new URL(embedded.base_url);
    const proxy = await startNginx(`proxy_pass http://localhost:${port};`);
    const headers = { Host: 'api.example.jp', 'Sec-Fetch-Site': 'same-origin' };
    assert.equal(await statusWith(`${proxy}/ops/mailbox.json`, headers), 401);
    assert.equal(await statusWith(`${proxy}/ops/mailbox/empty`, headers, 'POST'), 401);
    assert.equal(await statusWith(`${proxy}/ops/mailbox.json`, { ...headers, ...password }), 200);
  });
});

describe('403', () => {
  test('where no password is set the pages are closed, and say what to do', async () => {
    const response = await fetch(`${closed.base_url}/ops`, { headers: password });
    assert.equal(response.status, 403);
    assert.match(((await response.json()) as { detail: string }).detail, /OPERATOR_PASSWORD is not set/);
  });

  test('a change is refused unless it comes from these pages', async () => {
    const url = `${app.base_url}/ops/queues/email/pause`;
    const change = (headers: Record<string, string>) => statusWith(url, { ...password, ...headers }, 'POST');
    assert.equal(await change({}), 403);
    assert.equal(await change({ 'Sec-Fetch-Site': 'cross-site' }), 403);
    assert.equal(await change({ 'Sec-Fetch-Site': 'same-site' }), 403);
    assert.equal(await change({ 'Sec-Fetch-Site': 'none' }), 403);
    assert.equal(await change({ Origin: 'https://evil.example' }), 403);
    assert.equal(await change({ Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }), 403);
    assert.equal(await change({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }), 403);
    assert.equal(await change({ Origin: app.base_url, 'Sec-Fetch-Site': 'cross-site' }), 403);
    assert.equal(await change({ Origin: app.base_url }), 303);
    assert.equal(await change({ 'Sec-Fetch-Site': 'same-origin' }), 303);
    assert.equal(await change({ Origin: app.base_url, 'Sec-Fetch-Site': 'same-origin' }), 303);
  });

  test('a change is taken where a proxy has put its own name into Host', async () => {
    const BASE_URL = 'https://office.example.jp';
    const own = await startApp({ environment: { ...WITH_OPERATORS, BASE_URL } });
    const url = `${own.base_url}/ops/queues/email/pause`;
    const headers = { ...password, Host: 'localhost:3000', 'Sec-Fetch-Site': 'same-origin' };
    assert.equal(await statusWith(url, { ...headers, Origin: BASE_URL }, 'POST'), 303);
    assert.equal(await statusWith(url, { ...headers, Origin: 'https://example.jp' }, 'POST'), 403);
  });
});
