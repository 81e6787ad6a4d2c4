import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../../shared/db/database.ts';
import { MOST_KEYS } from '../../../shared/platform/access/api-keys/operations.ts';
import { MOST_SESSIONS } from '../../../shared/platform/access/sessions/operations.ts';
import { startApp } from '../../support/app.ts';
import { cookieOf, newOwner, PASSWORD, type Person, withCookie } from '../../support/people.ts';

const here = await startApp();
/** The same database by a pool of its own, as another process has it. */
const own_pool = openDatabase({ url: here.database_url, pool_size: 10, application_name: 'test-there' });
after(() => own_pool.end());
const there = await startApp({
  database: { url: here.database_url, database: own_pool, drop: async () => {} },
});

describe('API keys of an organization', () => {
  /** Keys of one day after the other, straight into the table; `rest` is when they were revoked and expired. */
  async function addKeys(owner: Person & { organization_id: string }, count: number, rest = 'NULL, NULL') {
    await here.database.withConnection(owner.organization_id, ({ query }) =>
      query(
        `INSERT INTO api_keys (organization_id, id, name, start, scopes, created_by, created_at, updated_at, revoked_at, expires_at)
         SELECT $1, 'ak_' || lower(translate(gen_random_uuid()::text, '-', '')), 'old ' || n, 'sk_test', '{*}', $2,
                now() - n * interval '1 day', now(), ${rest} FROM generate_series(1, $3::integer) AS n`,
        [owner.organization_id, owner.user_id, count],
      ),
    );
  }

  test('409 for the hundred and first, made at the same time in two processes; others make theirs', async () => {
    const owner = await newOwner(here);
    await addKeys(owner, MOST_KEYS - 3);
    const elsewhere = withCookie(there, owner.cookie);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 ? owner : elsewhere).post('/api-keys', { name: `new ${index}` }),
      ),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 3);
    const refused = replies.filter(({ status }) => status === 409);
    assert.equal(refused.length, 9);
    assert.equal(refused[0]!.body.code, 'too_many_keys');
    assert.match(refused[0]!.body.detail, /100 API keys/);
    const { api_key } = replies.find(({ status }) => status === 201)!.body;
    assert.equal((await owner.delete(`/api-keys/${api_key.id}`)).status, 200);
    assert.equal((await owner.post('/api-keys', { name: 'again' })).status, 201);
    assert.equal((await (await newOwner(here)).post('/api-keys', { name: 'other' })).status, 201);
  });

  test('201 beside any number of revoked and expired ones; /account shows what works', async () => {
    const owner = await newOwner(here);
    await addKeys(owner, 120, 'now(), NULL');
    await addKeys(owner, 120, "NULL, now() - interval '1 minute'");
    assert.equal((await owner.post('/api-keys', { name: 'a key that works' })).status, 201);
    const { text } = await owner.get('//account?lang=en');
    assert.match(text, /a key that works/);
    assert.doesNotMatch(text, /old \d/);
  });

  test('/account shows the newest hundred of an organization that had more before, and says so', async () => {
    const owner = await newOwner(here);
    await addKeys(owner, MOST_KEYS + 20);
    const { text } = await owner.get('//account?lang=en');
    assert.equal(text.match(/old \d+<\/th>/g)?.length, MOST_KEYS);
    assert.match(text, /The newest 100 are shown/);
  });
});

describe('sessions of a person', () => {
  test('the oldest end beyond a hundred, opened at the same time in two processes; their ends stand in the audit log', async () => {
    const owner = await newOwner(here);
    await here.database.withConnection('*', ({ query }) =>
      query(
        `INSERT INTO sessions (id, user_id, token, expires_at, active_organization_id, created_at, updated_at)
         SELECT 'ses_old_' || n, $1, 'token of the session ' || n, now() + interval '1 day', $2, now() - n * interval '1 hour', now()
           FROM generate_series(1, $3::integer) AS n`,
        [owner.user_id, owner.organization_id, MOST_SESSIONS - 1],
      ),
    );
    const body = { email: owner.email, password: PASSWORD };
    const replies = await Promise.all(
      [here, there, here, there, here, there].map((app) => app.anonymous.post('/auth/sign-in/email', body)),
    );
    for (const reply of replies) {
      assert.equal(reply.status, 200, reply.text);
      assert.equal((await withCookie(here, cookieOf(reply)).get('/organization')).status, 200);
    }
    assert.equal((await owner.get('/organization')).status, 200);
    const left = await here.database.withConnection('*', ({ query }) =>
      query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at', [
        owner.user_id,
      ]),
    );
    assert.equal(left.length, MOST_SESSIONS);
    assert.equal(left[0]!.id, `ses_old_${MOST_SESSIONS - 1 - replies.length}`);
    const { items } = (await owner.get('/audit-logs?entity_type=session&action=delete')).body;
    assert.equal(items.length, replies.length);
  });
});
