import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { endpoints } from '../../api/endpoints.ts';
import { startApp } from '../support/app.ts';

/** What a reviewer would try: each is refused or taken as plain text, and nothing of the inside shows. */
const app = await startApp();

const HOSTILE = [
  `' OR '1'='1`,
  `'; DROP TABLE crm_contacts; --`,
  `1) UNION SELECT password FROM accounts --`,
  `%' AND 1=(SELECT 1 FROM pg_sleep(9)) AND '%'='`,
  '$1',
  '%',
  '_\\',
  '{"$ne":null}',
  '[object Object]',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  `\${7*7}{{7*7}}`,
  '\r\nSet-Cookie: a=b',
  '\u202e\u0000',
  '９９９',
  '9'.repeat(400),
  'NaN',
  '-1',
  '1e309',
];

/** Words that only our own code, the database or the machine would use. */
const INSIDE =
  /(select |insert into|syntax error|pg_|postgres|knex|objection|node_modules|\.ts:|at \w+ \(|_pkey|_fkey)/i;

function assertCalm(reply: { status: number; text: string }, what: string): void {
  assert.ok(reply.status < 500, `${what}: ${reply.status} ${reply.text}`);
  // A fault names the parameter that the caller sent; that is no word of ours. Nor is what the letters of an ID may spell.
  const ours = reply.text.replace(/"req_[0-9a-z]+"/, '');
  const problem = reply.status >= 400 ? ours.replaceAll(HOSTILE[2]!, '').replaceAll(HOSTILE[3]!, '') : '';
  assert.doesNotMatch(problem, INSIDE, what);
}

describe('hostile values in every parameter of every reading call', () => {
  for (const endpoint of endpoints) {
    if (endpoint.method !== 'get' || endpoint.scope === 'account' || endpoint.session) continue;
    test(endpoint.id, async () => {
      const client = await app.actor();
      const names = Object.keys((endpoint.query as { shape?: object } | undefined)?.shape ?? {});
      const path = endpoint.path.replace('/api/v1', '').replace(/:\w+/g, 'x');
      // No worker runs: nobody waits for a file.
      const get = (asked: string) => client.get(asked, { Prefer: 'respond-async' });
      for (const value of HOSTILE) {
        const replies = await Promise.all([
          ...names.map((name) => get(`${path}?${name}=${encodeURIComponent(value)}`)),
          get(`${path}?${encodeURIComponent(value)}=1`),
          get(`${endpoint.path.replace('/api/v1', '').replace(/:\w+/g, encodeURIComponent(value))}`),
        ]);
        for (const reply of replies) assertCalm(reply, `${endpoint.id} ${value}`);
      }
    });
  }
});

describe('a path in other letters', () => {
  test('leads nowhere, be it of a call or of a page', async () => {
    const calls = endpoints.map(({ method, path }) => [method, `/${path.replace('/v1/', '/V1/')}`]);
    const pages = [
      '/Docs',
      '/docs/Errors',
      '/docs/guides/Events',
      '/Sign-in',
      '/Healthz',
      '/READYZ',
      '/Metrics',
      '/api/v1/Changelog',
      '/api/v1/CRM/contacts',
      '/openapi.JSON',
    ];
    for (const [method = '', path = ''] of [...calls, ...pages.map((page) => ['get', `/${page}`])]) {
      const reply = await app.anonymous.send(method, path);
      // An answer to HEAD has no body.
      const code = method === 'head' ? undefined : 'no_such_endpoint';
      assert.deepEqual([reply.status, reply.body?.code], [404, code], `${method} ${path}`);
    }
  });
});

describe('hostile values in bodies', () => {
  test('are kept as plain text, letter by letter, or refused', async () => {
    const client = await app.actor();
    for (const value of HOSTILE.filter((text) => text.length < 100)) {
      const reply = await client.post('/crm/contacts', { first_name: value, last_name: 'x', note: value });
      if (value.includes('\0')) {
        assert.equal(reply.status, 422);
        continue;
      }
      assert.equal(reply.status, 201, reply.text);
      assert.equal(reply.body.contact.note, value);
      const found = await client.get(`/crm/contacts?search=${encodeURIComponent(value.trim())}&limit=1`);
      assertCalm(found, value);
    }
    assert.equal((await client.get('/crm/contacts')).status, 200);
  });

  test('of the wrong kind are refused at their place', async () => {
    const client = await app.actor();
    for (const value of [1, true, null, [], {}, { $gt: '' }, [['a']]]) {
      const reply = await client.post('/crm/contacts', { first_name: value, last_name: 'x' });
      assert.equal(reply.status, 422, JSON.stringify(value));
      assert.equal(reply.body.errors[0].path, '/first_name');
    }
    for (const body of ['[]', '1', '"x"', 'null']) {
      assert.equal((await client.post('/crm/contacts', body)).status, 422, body);
    }
  });

  test('cannot reach a prototype', async () => {
    const client = await app.actor();
    const body =
      '{"first_name":"a","last_name":"b","__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}';
    const reply = await client.post('/crm/contacts', body);
    assert.equal(reply.status, 422);
    const codes = reply.body.errors.map(
      ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
    );
    assert.deepEqual(codes.sort(), ['/__proto__ unknown_field', '/constructor unknown_field']);
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  test('nested as deep as may be are refused, not walked', async () => {
    const client = await app.actor();
    for (const [depth, statuses] of [
      [62, [422]],
      [65, [400]],
      [100_000, [400]],
    ] as const) {
      for (const inside of ['', '1.5']) {
        const deep = `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
        for (const body of [deep, `{"first_name":"a","last_name":"b","custom_fields":{"k":${deep}}}`]) {
          const reply = await client.post('/crm/contacts', body);
          assert.ok(
            statuses.some((status) => status === reply.status),
            reply.text.slice(0, 200),
          );
        }
      }
    }
  });

  test('beyond a mebibyte are refused by their header and while they arrive', async () => {
    const client = await app.actor();
    const reply = await client.post('/crm/contacts', { first_name: 'a', last_name: 'x'.repeat(1_100_000) });
    assert.equal(reply.status, 413);
    assert.equal(reply.body.code, 'body_too_large');
    assert.equal(await sendChunked(client.actor.secret, 40), 413);
  });

  test('with a huge number of fields are told so in an answer that stays small', async () => {
    const client = await app.actor();
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field_${n}`, 1]));
    const reply = await client.post('/crm/contacts', body);
    assert.equal(reply.status, 422);
    assert.ok(reply.text.length < 100_000, `${reply.text.length} bytes`);
  });
});

describe('records of another organization', () => {
  test('look the same as missing ones, in path, body, query and cursor', async () => {
    const mine = await app.actor();
    const theirs = await app.actor();
    const company = (await theirs.post('/crm/companies', { name: '他社' })).body.company;
    const contact = (await theirs.post('/crm/contacts', { first_name: 'A', last_name: 'B' })).body.contact;
    const tag = (await theirs.post('/crm/tags', { name: '秘' })).body.tag;
    const missing = contact.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));

    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { note: 'x' } : undefined;
      const foreign = await mine.send(method, `/crm/contacts/${contact.id}`, body);
      const absent = await mine.send(method, `/crm/contacts/${missing}`, body);
      assert.equal(foreign.status, 404);
      assert.deepEqual({ ...foreign.body, request_id: 0 }, { ...absent.body, request_id: 0 });
    }
    const linked = await mine.post('/crm/contacts', {
      first_name: 'A',
      last_name: 'B',
      company_id: company.id,
    });
    assert.equal(linked.body.code, 'unknown_reference');
    assert.equal(linked.body.errors[0].path, '/company_id');
    const owned = await mine.post('/crm/companies', { name: 'x', owner_id: theirs.actor.user_id });
    assert.equal(owned.body.code, 'unknown_reference', owned.text);
    const own = (await mine.post('/crm/contacts', { first_name: 'A', last_name: 'B' })).body.contact;
    const tagged = await mine.post('/crm/tag-assignments', {
      tag_id: tag.id,
      resource_type: 'contact',
      resource_id: own.id,
    });
    assert.equal(tagged.body.code, 'unknown_reference', tagged.text);
    assert.equal((await mine.get(`/crm/contacts?company_id=${company.id}`)).body.total, 0);
    assert.equal((await mine.get(`/crm/contacts?tag_id=${tag.id}`)).body.total, 0);
    const after = await mine.get(`/crm/contacts?starting_after=${contact.id}`);
    assert.ok(after.body.data.every(({ id }: { id: string }) => id === own.id));
    assert.equal((await mine.get(`/crm/contacts?starting_after=${contact.id}&sort=name:asc`)).status, 400);
    assert.equal((await mine.get(`/crm/search?q=${encodeURIComponent('他社')}`)).body.items.length, 0);
    const still = await theirs.get(`/crm/contacts/${contact.id}`);
    assert.deepEqual(still.body.contact, contact);
  });
});

describe('headers', () => {
  test('cannot be forged into an answer', async () => {
    const client = await app.actor();
    const reply = await client.get('/crm/contacts?search=%0d%0aX-Evil:%201');
    assert.equal(reply.headers.get('x-evil'), null);
  });

  test('Host and X-Forwarded-Host change no link and no place', async () => {
    const client = await app.actor();
    const made = await client.post(
      '/crm/contacts',
      { first_name: 'A', last_name: 'B' },
      { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' },
    );
    assert.match(made.headers.get('location') ?? '', /^\/api\/v1\/crm\/contacts\/cont_/);
  });

  test('a key in the query or in a cookie is no credential', async () => {
    const { actor } = await app.actor();
    assert.equal((await app.anonymous.get(`/crm/contacts?api_key=${actor.secret}`)).status, 401);
    assert.equal(
      (await app.anonymous.get('/crm/contacts', { Cookie: `service.session_token=${actor.secret}` })).status,
      401,
    );
  });

  test('a mistyped, a truncated and an unknown key get the same answer', async () => {
    const { actor } = await app.actor();
    const last = actor.secret.at(-1) === 'a' ? 'b' : 'a';
    const wrong = [
      actor.secret.slice(0, -1) + last,
      actor.secret.slice(0, -1),
      'x',
      `sk_${'A'.repeat(49)}`,
      '',
    ];
    const bodies = await Promise.all(
      wrong.map(async (secret) => {
        const reply = await app.anonymous.get('/crm/contacts', { Authorization: `Bearer ${secret}` });
        assert.equal(reply.status, 401);
        return { ...reply.body, request_id: 0 };
      }),
    );
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
  });

  test('Authorization decides alone, even when it is of a kind that is not taken', async () => {
    const reply = await app.anonymous.get('/crm/contacts', { Authorization: 'Basic YTpi' });
    assert.equal(reply.body.code, 'invalid_credentials');
  });
});

/** Sends that many chunks of 64 KiB without saying how many there will be; answers the status. */
function sendChunked(secret: string, chunks: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${app.base_url}/api/v1/crm/contacts`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      },
    });
    call.on('response', (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    call.on('error', reject);
    for (let n = 0; n < chunks; n++) call.write(' '.repeat(65_536));
    call.end();
  });
}
