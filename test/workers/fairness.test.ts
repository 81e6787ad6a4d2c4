import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { job, type Queue } from '../../shared/kernel/job.ts';
import { queues } from '../../shared/platform/queues.ts';
import { type Handler, handles } from '../../workers/kernel/handler.ts';
import { type Engine, onEachEngine } from '../support/engines.ts';
import { outboxCount } from '../support/mail-states.ts';
import { type Asked, askFor, type Served, serveHere } from '../support/serving.ts';
import { until } from '../support/until.ts';

const queue = 'csv-import';
const name = 'test.long';
const long = job({ name, queue, attempts: 1, time_limit: 60_000, payload: z.looseObject({}) });

/** Also where a test has failed and left a job at work, which would keep its process alive. */
async function endOf({ serving, end }: Served): Promise<void> {
  serving.handBack();
  await end();
}

type Ran = { organization_id: string; delivery_id: string };

const organizationsOf = (ran: readonly Ran[]) => ran.map(({ organization_id }) => organization_id);

/** Serves a queue one job at a time; a `blocking` one holds it up until `finish`, which answers all in their order. */
async function heldUp(
  engine: Engine,
  context: TestContext,
  { queue, in_flight }: { queue: Queue; in_flight: number },
  asked: Asked,
) {
  const { database } = engine.test_database;
  const ran: Ran[] = [];
  const first = Promise.withResolvers<void>();
  const served = await serveHere(engine, { queue, concurrency: 1, in_flight });
  context.after(() => endOf(served));
  const handle: Handler<unknown> = async (_, { organization_id, delivery_id }) => {
    ran.push({ organization_id, delivery_id });
    if (ran.length === 1) await first.promise;
  };
  served.handlers.set(name, handles(job({ ...long, queue }), handle));
  const ask = (count: number, options: Asked) => askFor(database, { queue, name, count }, options);
  const blocking = await ask(1, asked);
  await until('the first one runs', () => ran.length === 1);
  return {
    ask,
    blocking,
    inQueue: (count: number) =>
      until(`${count} are in the queue`, async () => {
        const { waiting = 0, prioritized = 0 } = await served.backend.queue(queue).getJobCounts();
        return waiting + prioritized === count;
      }),
    finish: async () => {
      first.resolve();
      await until('all are done', async () => (await outboxCount(database)) === 0);
      return ran;
    },
  };
}

onEachEngine((engine) => {
  test("one office's fifty long jobs do not hold up another one's", async (context) => {
    const { database } = engine.test_database;
    const running = new Map<string, PromiseWithResolvers<void>>();
    const begun: string[] = [];
    const most = { busy: 0, of_the_large: 0 };
    const handle: Handler<unknown> = async (_, { organization_id, delivery_id }) => {
      const end = Promise.withResolvers<void>();
      running.set(delivery_id, end);
      begun.push(organization_id);
      const offices = served.serving.running().map((each) => each.organization_id);
      most.busy = Math.max(most.busy, offices.length);
      most.of_the_large = Math.max(most.of_the_large, offices.filter((each) => each === 'org_large').length);
      await end.promise;
      running.delete(delivery_id);
    };
    const served = await serveHere(engine, { queue, ...queues[queue] });
    context.after(() => endOf(served));
    served.handlers.set(name, handles(long, handle));
    const endOne = (id: string) => running.get(id)?.resolve();

    await askFor(database, { queue, name, count: 50 }, { organization_id: 'org_large' });
    const { in_flight } = queues[queue];
    await until('the large office is served', () => begun.length === in_flight);
    const [small] = await askFor(database, { queue, name }, { organization_id: 'org_small' });
    await until('the small office is served while none of the others has ended', () => running.has(small!));
    assert.deepEqual(begun, [...new Array(in_flight).fill('org_large'), 'org_small']);
    const [second] = await askFor(database, { queue, name }, { organization_id: 'org_third' });
    endOne(small!);
    await until('the third office comes next', () => running.has(second!));

    const all = setInterval(() => {
      for (const id of running.keys()) endOne(id);
    }, 5);
    await until('all are done', async () => (await outboxCount(database)) === 0);
    clearInterval(all);
    assert.equal(begun.length, 52);
    assert.ok(most.busy <= queues[queue].concurrency, `${most.busy} ran at a time`);
    assert.equal(most.of_the_large, in_flight);
  });

  test('the jobs of an organization go by priority, and then the oldest first', async (context) => {
    const shape = { queue: 'signing-reminder', in_flight: 3 } as const;
    const { ask, blocking, inQueue, finish } = await heldUp(engine, context, shape, {});
    // Two of these wait in the queue, the others in the outbox.
    const low = await ask(2, { priority: 3 });
    await inQueue(2);
    const normal = await ask(2, { priority: 2 });
    const high = await ask(2, { priority: 1 });
    const order = (await finish()).map(({ delivery_id }) => delivery_id);
    const asked = Object.entries({ blocking, high, normal, low });
    const names = new Map(asked.flatMap(([kind, ids]) => ids.map((id, n) => [id, `${kind} ${n + 1}`])));
    const told = order.map((id) => names.get(id)).join(', ');
    const place = (name: string) => told.split(', ').indexOf(name);
    assert.equal(place('blocking 1'), 0, told);
    assert.equal(order.length, 7, told);
    for (const kind of ['high', 'normal', 'low']) assert.ok(place(`${kind} 1`) < place(`${kind} 2`), told);
    assert.ok(place('high 2') < place('normal 1'), `high ones go before normal ones: ${told}`);
  });

  test('an urgent one that is put later waits for those put earlier', async (context) => {
    const shape = { queue: 'calendar-sync', in_flight: 5 } as const;
    const { ask, inQueue, finish } = await heldUp(engine, context, shape, { organization_id: 'first' });
    for (const [count, [organization_id, priority]] of [
      ['normal', 2] as const,
      ['earlier', 1] as const,
      ['later', 1] as const,
    ].entries()) {
      await ask(1, { organization_id, priority });
      await inQueue(count + 1);
    }
    assert.deepEqual(organizationsOf(await finish()), ['first', 'earlier', 'later', 'normal']);
  });

  test('in the queue itself high goes before normal and normal before low, whoever asked', async (context) => {
    const shape = { queue: 'pdf-render', in_flight: 5 } as const;
    const { ask, inQueue, finish } = await heldUp(engine, context, shape, { organization_id: 'first' });
    await ask(2, { organization_id: 'low', priority: 3 });
    await ask(2, { organization_id: 'normal', priority: 2 });
    await ask(2, { organization_id: 'high', priority: 1 });
    await inQueue(6);
    const order = organizationsOf(await finish());
    assert.deepEqual(order, ['first', 'high', 'high', 'normal', 'normal', 'low', 'low']);
  });
});
