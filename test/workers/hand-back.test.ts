import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { z } from 'zod';
import { newId } from '../../shared/kernel/id.ts';
import { job } from '../../shared/kernel/job.ts';
import type { Backend } from '../../workers/kernel/backend.ts';
import { handOver } from '../../workers/kernel/hand-over.ts';
import { type Handled, handles } from '../../workers/kernel/handler.ts';
import { newProcessNumber } from '../../workers/kernel/living.ts';
import { type Outbox, openOutbox } from '../../workers/kernel/outbox.ts';
import { type Serving, serveQueue } from '../../workers/kernel/serve.ts';
import { onEachEngine } from '../support/engines.ts';
import { outboxCount } from '../support/mail-states.ts';
import { askFor, backendOf } from '../support/serving.ts';
import { until } from '../support/until.ts';

const queue = 'signing-reminder';
const long = job({ name: 'test.long', queue, attempts: 3, time_limit: 60_000, payload: z.object({}) });

onEachEngine((engine) => {
  let backend: Backend;
  let outbox: Outbox;
  const log = pino({ level: 'silent' });

  before(() => {
    backend = backendOf(engine);
    outbox = openOutbox(engine.test_database.database, newProcessNumber());
  });
  after(async () => {
    await backend.queue(queue).close();
    await backend.end();
  });

  /** A process of its own would have these for itself; here two stand beside each other. */
  function serve(handled: Handled, ahead = 0): Promise<Serving> {
    const { database } = engine.test_database;
    return serveQueue({
      ...{
        database,
        outbox,
        backend,
        queue,
        log,
        concurrency: 1,
        ahead,
        handlers: new Map([[long.name, handled]]),
      },
      ...{ clock: () => new Date(), random: Math.random, metrics: { observe: () => {} }, freed: () => {} },
    });
  }

  test('a job that does not finish in time goes to another worker, and has lost no try', async () => {
    const { database } = engine.test_database;
    const id = newId('dlv', new Date());
    const row = () =>
      database.withConnection('*', async ({ query }) => {
        const rows = await query<{ starts: number; attempts: number }>(
          'SELECT starts, attempts FROM outbox WHERE id = $1',
          [id],
        );
        return rows[0];
      });
    await database.withConnection('*', ({ query }) =>
      query(
        `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at) VALUES ('org_x', $1, $2, $3, '{}', $4)`,
        [id, queue, long.name, new Date().toISOString()],
      ),
    );
    await handOver(database, backend, { queue, in_flight: 1, now: new Date(Date.now() + 1000) });

    const first = await serve(
      handles(
        long,
        (_, { signal }) =>
          new Promise((_, stop) => {
            signal.addEventListener('abort', () => stop(signal.reason));
          }),
      ),
    );
    await until('the job runs', () => first.running().length === 1);
    const ended = first.drain();
    first.handBack();
    await ended;
    assert.deepEqual(first.running(), []);
    assert.deepEqual(await row(), { starts: 0, attempts: 0 });

    const seen: unknown[] = [];
    const second = await serve(handles(long, async () => void seen.push(await row())));
    await until('the job is done', async () => (await row()) === undefined);
    assert.deepEqual(seen, [{ starts: 1, attempts: 0 }]);
    await second.drain();
  });

  test('tickets that wait for their turn are not begun, and go to another worker when theirs is to end', async () => {
    const { database } = engine.test_database;
    const ids = await askFor(database, { queue, name: long.name, count: 3 });
    await handOver(database, backend, { queue, in_flight: 3, now: new Date(Date.now() + 1000) });
    const begun: string[] = [];
    const last = Promise.withResolvers<void>();
    const first = await serve(
      handles(long, async (_, { delivery_id }) => {
        begun.push(delivery_id);
        await last.promise;
      }),
      2,
    );
    await until('all are held', () => first.held().length === 3);
    await until('one runs', () => first.running().length === 1);
    assert.equal(begun.length, 1);
    const ended = first.drain();
    const second = await serve(handles(long, async (_, { delivery_id }) => void begun.push(delivery_id)));
    await until('another worker has begun the others while the first goes on', () => begun.length === 3);
    assert.deepEqual(begun.toSorted(), ids.toSorted());
    assert.deepEqual(first.held(), begun.slice(0, 1));
    last.resolve();
    await ended;
    await until('all are done', async () => (await outboxCount(database)) === 0);
    assert.deepEqual(first.handedBack(), []);
    await second.drain();
  });
});
