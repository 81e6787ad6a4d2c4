import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownServer } from '../resilience/own-server.ts';
import { outboxCount } from '../support/mail-states.ts';
import { has_redis, startRedis } from '../support/redis.ts';
import { askFor } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { makeNotes, notes, startTestWorkers } from '../support/workers.ts';

const server = await ownServer();
const { database } = server;
await makeNotes(database);

for (const engine of ['postgres', 'redis'] as const) {
  const skip = engine === 'redis' && !has_redis ? 'redis-server is not on the PATH' : false;
  test(`with queues on ${engine}, a database that crashes and comes back loses no job`, {
    skip,
  }, async () => {
    const redis = engine === 'redis' ? await startRedis() : null;
    const workers = await startTestWorkers({ DATABASE_URL: server.url, REDIS_URL: redis?.url });
    const ids = await askFor(database, { queue: 'signing-reminder', name: 'test.note', count: 60 });
    await until('some are done', async () => (await notes(database, ids)).count >= 10);
    await server.takeAway('SIGQUIT');
    await server.bringBack();
    await until('all are done', async () => (await outboxCount(database).catch(() => 1)) === 0);
    assert.deepEqual(await notes(database, ids), { count: 60, twice: [] });
    assert.deepEqual([workers.process.exitCode, ...workers.errors], [null]);
    assert.equal(await workers.stop(), 0);
    await redis?.stop();
  });
}
