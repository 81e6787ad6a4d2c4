import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { z } from 'zod';
import { job } from '../../shared/kernel/job.ts';
import { drain } from '../../workers/kernel/drain.ts';
import { handles } from '../../workers/kernel/handler.ts';
import { missingProcesses } from '../../workers/kernel/liveness.ts';
import { onEachEngine } from '../support/engines.ts';
import { askFor, serveHere } from '../support/serving.ts';
import { until } from '../support/until.ts';

const queue = 'signing-reminder';
const long = job({ name: 'test.long', queue, attempts: 3, time_limit: 120_000, payload: z.object({}) });

onEachEngine((engine) => {
  test('a draining process counts as alive until its last job has ended', async () => {
    const { database } = engine.test_database;
    const served = await serveHere(engine, { queue });
    const last = Promise.withResolvers<void>();
    served.handlers.set(
      long.name,
      handles(long, () => last.promise),
    );
    const [id] = await askFor(database, { queue, name: long.name });
    await until('the job runs', () => served.serving.running().length === 1);

    const stopped = Promise.withResolvers<void>();
    let running_at_end: number | null = null;
    const relay = {
      ...served.relay,
      stop: async () => {
        await served.relay.stop();
        stopped.resolve();
      },
      end: async () => {
        running_at_end = served.serving.running().length;
        await served.relay.end();
      },
    };
    const none = { end: async () => {}, count: () => {} };
    const draining = drain({
      why: 'SIGTERM',
      servings: [served.serving],
      relay,
      schedules: none,
      minutes: none,
      log: pino({ level: 'silent' }),
      clock: () => new Date(),
    });
    await stopped.promise;
    const missing = () => database.withConnection('*', (connection) => missingProcesses(connection, []));
    assert.deepEqual(await missing(), []);
    assert.equal(running_at_end, null);
    last.resolve();
    await draining;
    assert.equal(running_at_end, 0);
    const rows = await database.withConnection('*', ({ query }) =>
      query('SELECT FROM outbox WHERE id = $1', [id]),
    );
    assert.equal(rows.length, 0);
    await served.end();
  });
});
