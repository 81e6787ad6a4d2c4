import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Client, clientOf } from '../../support/client.ts';
import { newMember, newOwner } from '../../support/people.ts';

const app = await startApp();

async function newKey(client: Client, body: object = {}) {
  const reply = await client.post('/api-keys', { name: 'test', ...body });
  assert.equal(reply.status, 201, reply.text);
  const { api_key, secret } = reply.body;
  return { api_key, secret, reply, byKey: withKey(secret) };
}

function withKey(secret: string, base_url = app.base_url) {
  return clientOf(base_url, { Authorization: `Bearer ${secret}` });
}

describe('POST /api-keys', () => {
  test('201: the secret is shown this once and stored nowhere', async () => {
    const owner = await newOwner(app);
    const { api_key, secret, reply } = await newKey(owner);
    assert.match(secret, /^sk_[0-9A-Za-z]{49}$/);
    assert.equal(api_key.start, secret.slice(0, 7));
    assert.deepEqual(api_key.scopes, ['*']);
    assert.equal(api_key.created_by, owner.user_id);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.equal(reply.headers.get('location'), `/api/v1/api-keys/${api_key.id}`);
    const shown = await owner.get(`/api-keys/${api_key.id}`);
    assert.deepEqual(shown.body, { api_key });
    assert.ok(!(await owner.get('/audit-logs')).text.includes(secret));
  });

  test('201: a repeated request shows null for the secret', async () => {
    const owner = await newOwner(app);
    const create = () => owner.post('/api-keys', { name: 'x' }, { 'Idempotency-Key': 'one' });
    const first = await create();
    const second = await create();
    assert.equal(second.body.api_key.id, first.body.api_key.id);
    assert.equal(second.body.secret, null);
    assert.equal((await owner.get('/api-keys')).body.total, 1);
  });

  test('201: the scopes of its creator unless said, never more', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    const { api_key } = await newKey(member);
    assert.ok(api_key.scopes.includes('crm:write'));
    assert.ok(!api_key.scopes.includes('*') && !api_key.scopes.includes('accounting:write'));
    for (const scopes of [['*'], ['crm:read', 'settings:write'], ['accounting:write']]) {
      const reply = await member.post('/api-keys', { name: 'more', scopes });
      assert.equal(reply.status, 403, reply.text);
      assert.equal(reply.body.code, 'insufficient_scope');
    }
    const { byKey } = await newKey(member, { scopes: ['crm:read'] });
    assert.equal((await byKey.get('/crm/contacts')).status, 200);
    const refused = await byKey.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.required_scope, 'crm:write');
  });

  test('403: a key manages no keys', async () => {
    const owner = await newOwner(app);
    const { api_key, byKey } = await newKey(owner);
    const replies = [
      await byKey.post('/api-keys', { name: 'successor' }),
      await byKey.get('/api-keys'),
      await byKey.get(`/api-keys/${api_key.id}`),
      await byKey.delete(`/api-keys/${api_key.id}`),
    ];
    for (const reply of replies) assert.equal(reply.body.code, 'session_required', reply.text);
  });

  test('422: an expiry in the past, no scope, an unknown one, the same twice, two lines', async () => {
    const owner = await newOwner(app);
    for (const body of [
      { expires_at: '2020-01-01T00:00:00Z' },
      { scopes: [] },
      { scopes: ['crm:everything'] },
      { scopes: ['crm:read', 'crm:read'] },
      { name: 'a\nb' },
      { name: '' },
    ]) {
      const reply = await owner.post('/api-keys', { name: 'x', ...body });
      assert.equal(reply.status, 422, JSON.stringify(body));
    }
  });
});

describe('a key', () => {
  test('401 from its revocation on, in every process; a second revocation is 404', async () => {
    const owner = await newOwner(app);
    const { api_key, secret, byKey } = await newKey(owner);
    const there = await startApp({
      database: { url: app.database_url, database: app.database, drop: async () => {} },
    });
    const elsewhere = withKey(secret, there.base_url);
    assert.equal((await elsewhere.get('/members')).status, 200);
    assert.deepEqual((await owner.delete(`/api-keys/${api_key.id}`)).body, { success: true });
    for (const client of [byKey, elsewhere]) {
      const reply = await client.get('/members');
      assert.equal(reply.status, 401);
      assert.equal(reply.body.code, 'invalid_credentials');
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
    }
    assert.equal((await owner.delete(`/api-keys/${api_key.id}`)).status, 404);
    const { items } = (await owner.get(`/audit-logs?entity_id=${api_key.id}`)).body;
    assert.deepEqual(
      items.map(({ action }: { action: string }) => action),
      ['delete', 'create'],
    );
    assert.deepEqual(Object.keys(items[0].changes), ['revoked_at']);
  });

  test('200 once: fifty revocations in parallel', async () => {
    const owner = await newOwner(app);
    const { api_key, byKey } = await newKey(owner);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => owner.delete(`/api-keys/${api_key.id}`)),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 404).length, 49);
    assert.equal((await byKey.get('/members')).status, 401);
    const { total } = (await owner.get(`/audit-logs?entity_id=${api_key.id}&action=delete`)).body;
    assert.equal(total, 1);
  });

  test('401: fifty keys revoked in parallel while they are used are refused afterwards', async () => {
    const owner = await newOwner(app);
    const keys = await Promise.all(Array.from({ length: 50 }, () => newKey(owner)));
    await Promise.all(
      keys.flatMap(({ api_key, byKey }) => [owner.delete(`/api-keys/${api_key.id}`), byKey.get('/members')]),
    );
    const after = await Promise.all(keys.map(({ byKey }) => byKey.get('/members')));
    assert.ok(after.every(({ status }) => status === 401));
  });

  test('401: expired, mistyped, unknown and revoked keys are told the same', async () => {
    let time = new Date();
    const timed = await startApp({ now: () => time });
    const owner = await newOwner(timed);
    const expires_at = new Date(time.getTime() + 60_000).toISOString();
    const { secret } = await newKey(owner, { expires_at });
    const client = withKey(secret, timed.base_url);
    assert.equal((await client.get('/members')).status, 200);
    time = new Date(time.getTime() + 60_000);
    const { newSecret } = await import('../../../shared/platform/access/secret.ts');
    const { randomBytes } = await import('node:crypto');
    const told = new Set<string>();
    for (const wrong of [secret, `${secret.slice(0, -1)}~`, newSecret(randomBytes), 'x']) {
      const reply = await withKey(wrong, timed.base_url).get('/members');
      const { request_id: _, ...rest } = reply.body;
      told.add(JSON.stringify(rest));
    }
    assert.equal(told.size, 1);
    assert.match([...told][0]!, /invalid_credentials/);
  });

  test('403: a lowered role narrows it, a raised one does not widen it', async () => {
    const owner = await newOwner(app);
    const admin = await newMember(app, owner, 'admin');
    const whole = await newKey(admin);
    const some = await newKey(admin, { scopes: ['crm:read', 'audit:read'] });
    assert.equal((await whole.byKey.get('/audit-logs')).status, 200);
    await owner.patch(`/members/${admin.member_id}`, { role: 'member' });
    assert.equal((await whole.byKey.get('/audit-logs')).status, 403);
    assert.equal((await whole.byKey.get('/crm/contacts')).status, 200);
    assert.equal((await some.byKey.get('/audit-logs')).status, 403);
    await owner.patch(`/members/${admin.member_id}`, { role: 'owner' });
    const beyond = await some.byKey.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
    assert.equal(beyond.status, 403);
  });

  test('last_used_at is written at most once a minute', async () => {
    let time = new Date();
    const timed = await startApp({ now: () => time });
    const owner = await newOwner(timed);
    const { api_key, secret } = await newKey(owner);
    const client = withKey(secret, timed.base_url);
    const used = async () => (await owner.get(`/api-keys/${api_key.id}`)).body.api_key.last_used_at;
    assert.equal(await used(), null);
    await client.get('/members');
    const first = await used();
    time = new Date(time.getTime() + 30_000);
    await client.get('/members');
    assert.equal(await used(), first);
    time = new Date(time.getTime() + 31_000);
    await client.get('/members');
    assert.equal(await used(), time.toISOString());
  });
});

describe('GET /api-keys', () => {
  test('200: owners and admins see every key, others their own; those of others are 404', async () => {
    const owner = await newOwner(app);
    const manager = await newMember(app, owner, 'manager');
    const theirs = await newKey(owner);
    const own = await newKey(manager);
    assert.equal((await owner.get('/api-keys')).body.total, 2);
    const { items } = (await manager.get('/api-keys')).body;
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      [own.api_key.id],
    );
    assert.equal((await manager.get(`/api-keys/${theirs.api_key.id}`)).status, 404);
    assert.equal((await manager.delete(`/api-keys/${theirs.api_key.id}`)).status, 404);
    const stranger = await newOwner(app);
    assert.equal((await stranger.get(`/api-keys/${own.api_key.id}`)).status, 404);
    assert.equal((await stranger.delete(`/api-keys/${own.api_key.id}`)).status, 404);
  });
});
