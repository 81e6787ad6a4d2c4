import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import { apiApp } from '../../../api/app.ts';
import { redisStore } from '../../../api/http/limit-store-redis.ts';
import { type LimitStore, tableStore } from '../../../api/http/limit-stores.ts';
import { type Limits, limitsOf, type Quota } from '../../../api/http/limits.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { newSecret } from '../../../shared/platform/access/secret.ts';
import { startApp } from '../../support/app.ts';
import { clientOf } from '../../support/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { newOwner } from '../../support/people.ts';
import { has_redis, startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const database = await freshDatabase();
const redis = has_redis ? await startRedis() : null;
const log = pino({ level: 'silent' });
after(async () => {
  await redis?.stop();
  await database.drop();
});

const QUOTA: Quota = { name: 'test', limit: 100, window_seconds: 60 };
const HOUR = 3_600_000;
/** Redis keeps real time: a window that ends well after this test, which may be run long after it was loaded. */
const NOW = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 2 * HOUR);

/** Takes so many, and answers how many were given. */
function take(limits: Limits, bucket: string, count: number, now = NOW): number {
  let given = 0;
  for (let round = 0; round < count; round++) {
    try {
      limits.take(bucket, QUOTA, now);
      given++;
    } catch (error) {
      assert.ok(error instanceof Failure && error.code === 'rate_limited');
    }
  }
  return given;
}

const stores: Record<string, () => LimitStore> = {
  'one table': () => tableStore(database.database),
  Redis: () => redisStore(redis!.url, log),
};

for (const [name, open] of Object.entries(stores)) {
  describe(`processes that settle through ${name}`, { skip: name === 'Redis' && !redis }, () => {
    test('give out together what is allowed, as soon as they have told each other', async () => {
      const [first, second] = [limitsOf(await answering(open())), limitsOf(await answering(open()))];
      const bucket = `shared ${name}`;
      assert.equal(take(first, bucket, 60), 60);
      await first.settled();
      assert.equal(take(second, bucket, 1), 1);
      await second.settled();
      assert.equal(take(second, bucket, 60), 39);
      await until('the first knows that nothing is left', () => take(first, bucket, 1) === 0);
      await Promise.all([first.end(), second.end()]);
    });

    test('begin again in the next window', async () => {
      const limits = limitsOf(open());
      const bucket = `window ${name}`;
      assert.equal(take(limits, bucket, 120), 100);
      const later = new Date(NOW.getTime() + 60_000);
      assert.equal(take(limits, bucket, 120, later), 100);
      await limits.end();
    });

    test('keep buckets apart', async () => {
      const limits = limitsOf(open());
      take(limits, `one ${name}`, 100);
      assert.equal(take(limits, `other ${name}`, 1), 1);
      assert.equal(limits.take(`one ${name}`, { ...QUOTA, name: 'another' }, NOW).remaining, 99);
      await limits.end();
    });
  });
}

describe('while the store is away', () => {
  test('each process counts for itself, and tells what it gave when the store is back', async () => {
    const [first, second] = [
      limitsOf(tableStore(database.database)),
      limitsOf(tableStore(database.database)),
    ];
    await change('ALTER TABLE rate_limits RENAME TO rate_limits_away');
    assert.equal(take(first, 'away', 60), 60);
    await first.settled();
    assert.equal(take(first, 'away', 60), 40);
    assert.equal(take(first, 'away', 1), 0);
    await first.settled();
    await change('ALTER TABLE rate_limits_away RENAME TO rate_limits');
    assert.equal(take(first, 'away', 1), 0);
    await until('the second knows what the first gave meanwhile', () => take(second, 'away', 1) === 0);
    await Promise.all([first.end(), second.end()]);
  });

  test('a Redis that cannot be reached refuses nobody', async () => {
    const limits = limitsOf(redisStore('redis://127.0.0.1:1', log));
    assert.equal(take(limits, 'unreachable', 50), 50);
    await limits.settled();
    assert.equal(take(limits, 'unreachable', 60), 50);
    await limits.end();
  });
});

describe('requests', () => {
  const environment = { RATE_LIMIT_PER_MINUTE: '30', TRUSTED_PROXIES: '127.0.0.1' };
  const now = () => NOW;

  test('429 with Retry-After beyond the limit of a credential, told by headers, others go on', async () => {
    const app = await startApp({ environment, now });
    const client = await app.actor();
    const other = await app.actor();
    const first = await client.get('/members');
    assert.equal(
      first.headers.get('ratelimit-policy'),
      '"credential";q=30;w=60, "person";q=60;w=60, "organization";q=120;w=60',
    );
    assert.equal(first.headers.get('ratelimit'), '"credential";r=29;t=60');
    for (let round = 1; round < 30; round++) assert.equal((await client.get('/members')).status, 200);
    const reply = await client.get('/members');
    assert.equal(reply.status, 429, reply.text);
    assert.equal(reply.body.code, 'rate_limited');
    assert.equal(reply.headers.get('retry-after'), '60');
    assert.equal((await other.get('/members')).status, 200);
  });

  test('429 beyond twice that for the sessions and keys of one person together, others of the organization go on', async () => {
    const app = await startApp({ environment, now });
    const owner = await newOwner(app);
    const colleague = await app.actor({ organization_id: owner.organization_id });
    const keys = await Promise.all(
      ['first', 'second'].map(async (name) => (await owner.post('/api-keys', { name })).body.secret),
    );
    const [first, second] = keys.map((key) => clientOf(app.base_url, { Authorization: `Bearer ${key}` }));
    // One call made the organization, two made the keys.
    for (let round = 0; round < 29; round++) assert.equal((await first!.get('/members')).status, 200);
    for (let round = 0; round < 28; round++) assert.equal((await second!.get('/members')).status, 200);
    const refused = await second!.get('/members');
    assert.equal(refused.status, 429, refused.text);
    assert.equal(refused.headers.get('ratelimit'), '"person";r=0;t=60');
    assert.match(refused.body.detail, /"person" is 60 requests in 60 seconds/);
    assert.equal((await owner.get('/members')).status, 429);
    assert.equal((await colleague.get('/members')).status, 200);
  });

  test('429 beyond four times that for an organization, whoever calls; what is refused is counted nowhere', async () => {
    const app = await startApp({ environment, now });
    const first = await app.actor();
    const { organization_id } = first.actor;
    const members = [first];
    for (let round = 0; round < 4; round++) members.push(await app.actor({ organization_id }));
    const other = await app.actor();
    for (const member of members.slice(0, 4)) {
      for (let round = 0; round < 30; round++) assert.equal((await member.get('/members')).status, 200);
    }
    for (let round = 0; round < 2; round++) {
      const refused = await members[4]!.get('/members');
      assert.equal(refused.status, 429, refused.text);
      assert.equal(refused.headers.get('ratelimit'), '"organization";r=0;t=60');
    }
    assert.equal((await other.get('/members')).status, 200);
    const fresh = limitsOf(null);
    const charges = [
      { bucket: 'whole', quota: QUOTA },
      { bucket: 'empty', quota: { ...QUOTA, limit: 0 } },
    ];
    assert.throws(() => fresh.takeAll(charges, NOW));
    assert.equal(fresh.take('whole', QUOTA, NOW).remaining, 99);
  });

  test('429 for an address without credentials, an IPv6 network being one; a forged chain changes nothing', async () => {
    const app = await startApp({ environment, now });
    const from = (address: string) => app.anonymous.get('/changelog', { 'X-Forwarded-For': address });
    for (let round = 0; round < 15; round++) {
      assert.equal((await from(`10.9.9.${round}, 2001:db8:1:2::${round}`)).status, 200);
    }
    assert.equal((await from('2001:db8:1:2:ffff::1')).status, 429);
    assert.equal((await from('2001:db8:1:3::1')).status, 200);
  });

  test('429 for wrong keys beyond a hundred and twenty of an address; right ones pass, whatever was guessed', async () => {
    const app = await startApp({ now });
    const { actor } = await app.actor();
    const get = (key: string) => app.anonymous.get('/members', { Authorization: `Bearer ${key}` });
    for (let round = 0; round < 120; round++) assert.equal((await get('sk_wrong')).status, 401);
    const unknown = newSecret(randomBytes);
    for (const key of ['sk_wrong', unknown]) {
      const refused = await get(key);
      assert.equal(refused.status, 429, refused.text);
      assert.equal(refused.headers.get('retry-after'), '60');
    }
    assert.equal((await get(actor.secret)).status, 200);
  });

  test('a malformed key costs no query', async () => {
    const asked: string[] = [];
    const app = await startApp({ now });
    const { key } = app.context.lookups;
    app.context.lookups.key = (hash) => {
      asked.push(hash);
      return key(hash);
    };
    for (const wrong of ['sk_wrong', newSecret(randomBytes).replace(/.$/, '-')]) {
      await app.anonymous.get('/members', { Authorization: `Bearer ${wrong}` });
    }
    assert.deepEqual(asked, []);
  });

  test('one warning when X-Forwarded-For comes from a peer that is not trusted', async () => {
    const lines: { level: number; msg: string; peer?: string }[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
    for (const [trusted, told] of [
      ['', 1],
      ['127.0.0.1', 0],
    ] as const) {
      const { context } = await startApp({ environment: { TRUSTED_PROXIES: trusted } });
      const server = createServer(apiApp({ ...context, log }).callback()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      lines.length = 0;
      await fetch(`http://127.0.0.1:${port}/healthz`);
      assert.equal(lines.length, 0);
      for (let round = 0; round < 3; round++) {
        await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
      }
      server.close();
      server.closeAllConnections();
      assert.equal(lines.length, told);
      if (told) assert.match(lines[0]!.msg, /TRUSTED_PROXIES/);
      if (told) assert.equal(lines[0]!.peer, '127.0.0.1');
    }
  });
});

/** A store that has been heard: Redis takes a moment to connect. */
async function answering(store: LimitStore): Promise<LimitStore> {
  const use = { key: 'ready', window_ends_at: NOW.getTime() + 60_000, count: 0 };
  const isHeard = () =>
    store.settle([use]).then(
      () => true,
      () => false,
    );
  await until('the store answers', isHeard);
  return store;
}

async function change(text: string): Promise<void> {
  await database.database.withConnection('*', ({ query }) => query(text));
}
