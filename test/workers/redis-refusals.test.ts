import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Redis } from 'ioredis';
import { openBackend } from '../../workers/kernel/backend.ts';
import { has_redis, startRedis } from '../support/redis.ts';

const ticket = {
  name: 'imports.run',
  organization_id: 'org_a',
  delivery_id: 'dlv_a',
  hand_over: 1,
  priority: 2,
};

const skip = has_redis ? false : 'redis-server is not on the PATH';

function backendAt(redis_url: string) {
  const backend = openBackend({
    redis_url,
    database_url: '',
    installation: 'inst_a',
    served: 0,
    troubled: () => undefined,
  });
  after(() => backend.end());
  return backend;
}

test('a Redis that is full refuses: it answers all the same', { skip }, async () => {
  const redis = await startRedis();
  after(() => redis.stop());
  await redis.fill();
  const backend = backendAt(redis.url);
  const words = { message: /^Redis refuses: OOM command not allowed when used memory > 'maxmemory'/ };
  await backend.ping();
  await assert.rejects(backend.put('csv-import', [ticket]), words);
  await assert.rejects(backend.put('csv-import', [ticket, { ...ticket, delivery_id: 'dlv_b' }]), words);
  await assert.rejects(backend.tryWrite(), words);
  await assert.rejects(backend.mark(), words);
});

test('so does a replica, and one whose user may not write', { skip }, async () => {
  const redis = await startRedis();
  after(() => redis.stop());
  const client = new Redis(redis.url);
  await client.call('ACL', 'SETUSER', 'reader', 'on', '>words', '~*', '+@read', '+@connection', '+info');
  const reader = new URL(redis.url);
  [reader.username, reader.password] = ['reader', 'words'];
  await assert.rejects(backendAt(reader.href).tryWrite(), { message: /^Redis refuses: NOPERM / });
  await client.replicaof('127.0.0.1', 1);
  await assert.rejects(backendAt(redis.url).tryWrite(), { message: /^Redis refuses: READONLY / });
  client.disconnect();
});

test('a trial write leaves nothing behind', { skip }, async () => {
  const redis = await startRedis();
  after(() => redis.stop());
  await backendAt(redis.url).tryWrite();
  const client = new Redis(redis.url);
  assert.deepEqual(await client.keys('*'), []);
  client.disconnect();
});

test('a Redis that is away does not answer', async () => {
  const words = { message: /^Redis does not answer: connect ECONNREFUSED/ };
  await assert.rejects(backendAt('redis://127.0.0.1:1').tryWrite(), words);
});
