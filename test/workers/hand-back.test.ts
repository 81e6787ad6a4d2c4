import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Job, Processor } from 'bullmq';
import pino from 'pino';
import { z } from 'zod';
import { newId } from '../../shared/kernel/id.ts';
import { job } from '../../shared/kernel/job.ts';
import type { Backend, Ticket } from '../../workers/kernel/backend.ts';
import { dispatch } from '../../workers/kernel/dispatch.ts';
import { type Handled, handles } from '../../workers/kernel/handler.ts';
import { newProcessNumber } from '../../workers/kernel/liveness.ts';
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
  function serve(handled: Handled, ahead = 0, { worker } = backend): Promise<Serving> {
    const { database } = engine.test_database;
    return serveQueue({
      database,
      outbox,
      backend: { ...backend, worker },
      queue,
      log,
      concurrency: 1,
      ahead,
      handlers: new Map([[long.name, handled]]),
      clock: () => new Date(),
      random: Math.random,
      metrics: { observe: () => {} },
      freed: () => {},
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
    await dispatch(database, backend, { queue, in_flight: 1, now: new Date(Date.now() + 1000) });

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

  for (const [what, count, together] of [
    ['tickets that wait for their turn', 3, 1],
    ['deliveries that share a ticket with one that goes on', 24, 3],
  ] as const) {
    test(`${what} are not begun, and go to another worker when theirs is to end`, async () => {
      const { database } = engine.test_database;
      const ids = await askFor(database, { queue, name: long.name, count });
      const now = new Date(Date.now() + 1000);
      await dispatch(database, backend, { queue, in_flight: count, together, now });
      const begun: string[] = [];
      const last = Promise.withResolvers<void>();
      const first = await serve(
        handles(long, async (_, { delivery_id }) => {
          begun.push(delivery_id);
          await last.promise;
        }),
        count / together - 1,
      );
      await until('all are held', () => first.held().length === count);
      await until('one runs', () => first.running().length === 1);
      assert.equal(begun.length, 1);
      const ended = first.drain();
      const second = await serve(handles(long, async (_, { delivery_id }) => void begun.push(delivery_id)));
      await until(
        'another worker has begun the others while the first goes on',
        () => begun.length === count,
      );
      assert.deepEqual(begun.toSorted(), ids.toSorted());
      assert.deepEqual(first.held(), begun.slice(0, 1));
      last.resolve();
      await ended;
      await until('all are done', async () => (await outboxCount(database)) === 0);
      assert.deepEqual(first.handedBack(), []);
      await second.drain();
    });
  }

  test('a delivery for which several tickets stand is begun once', async () => {
    const { database } = engine.test_database;
    await askFor(database, { queue, name: long.name, count: 2 });
    await dispatch(database, backend, { queue, in_flight: 2, now: new Date(Date.now() + 1000) });
    const begun: string[] = [];
    const last = Promise.withResolvers<void>();
    const handled = handles(long, async (_, { delivery_id }) => {
      begun.push(delivery_id);
      if (begun[0] === delivery_id) await last.promise;
    });
    const first = await serve(handled);
    await until('one is at work', () => begun.length === 1);
    const rows = await database.withConnection('*', ({ query }) =>
      query<{ organization_id: string; delivery_id: string }>(
        'SELECT organization_id, id AS delivery_id FROM outbox WHERE queue = $1',
        [queue],
      ),
    );
    const twice = rows.map((row) => ({ ...row, hand_over: 1, name: long.name, priority: 2 }));
    await backend.put(queue, twice, 2);
    const second = await serve(handled, 3);
    await until('the other one is done', async () => (await outboxCount(database)) === 1);
    await until('the ticket of the one at work alone is left', async () => {
      const { active, waiting, prioritized } = await backend.queue(queue).getJobCounts();
      return active === 1 && waiting === 0 && !prioritized;
    });
    assert.deepEqual(begun.toSorted(), rows.map(({ delivery_id }) => delivery_id).toSorted());
    last.resolve();
    await until('all are done', async () => (await outboxCount(database)) === 0);
    assert.equal(begun.length, 2);
    await Promise.all([first.drain(), second.drain()]);
  });

  test('a delivery is begun although a void ticket of it comes at the same time', async () => {
    const { database } = engine.test_database;
    const [delivery_id] = await askFor(database, { queue, name: long.name });
    // Its process died; the relay has handed over anew, and the queue offers the ticket of the dead process once more.
    await database.withConnection('*', ({ query }) =>
      query('UPDATE outbox SET handed_over_at = created_at, hand_overs = 3 WHERE id = $1', [delivery_id]),
    );
    const begun: string[] = [];
    let take: Processor<Ticket> | undefined;
    const serving = await serve(
      handles(long, async (_, delivery) => void begun.push(delivery.delivery_id)),
      1,
      {
        ...backend,
        worker: (name, taking, options) => {
          take = taking;
          return backend.worker(name, taking, options);
        },
      },
    );
    const offer = (hand_over: number, stalledCounter: number) => {
      const data = { organization_id: 'org_x', delivery_id, hand_over };
      return take?.({ data, name: long.name, opts: { priority: 2 }, stalledCounter } as Job<Ticket>);
    };
    await Promise.all([offer(1, 1), offer(3, 0)]);
    await serving.drain();
    assert.deepEqual(begun, [delivery_id]);
    assert.equal(await outboxCount(database), 0);
  });
});
