import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '../support/engines.ts';
import { whileHeld } from '../support/held.ts';
import { outboxCount } from '../support/mail-states.ts';
import { askFor } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { makeNotes, notes, startTestWorkers } from '../support/workers.ts';

const queue = 'signing-reminder';
const name = 'test.note';

onEachEngine((engine) => {
  const database = () => engine.test_database.database;
  const allDone = () => until('all are done', async () => (await outboxCount(database())) === 0);

  async function askForNotes(count: number): Promise<string[]> {
    const each = (organization_id: string) =>
      askFor(database(), { queue, name, count: count / 2 }, { organization_id });
    return [...(await each('org_a')), ...(await each('org_b'))];
  }

  /** How many processes have taken something. */
  async function takers(): Promise<number> {
    const [row] = await database().withConnection('*', ({ query }) =>
      query<{ count: number }>('SELECT count(DISTINCT taken_by) AS count FROM outbox'),
    );
    return row!.count;
  }

  test('what a killed process had taken is freed as soon as it is known to be dead, and done once', async () => {
    await makeNotes(database());
    const first = await startTestWorkers(engine.environment);
    const second = await startTestWorkers(engine.environment);
    const early = await askForNotes(12);
    await until('some are done', async () => (await notes(database(), early)).count === 12);
    // Nothing ends meanwhile, so that both are at work when one of them is killed.
    const late = await whileHeld(database(), 'begun', async () => {
      const asked = await askForNotes(48);
      await until('both are at work', async () => (await takers()) === 2);
      await first.kill();
      return asked;
    });
    await allDone();
    assert.ok(second.lines.some(({ msg }) => msg === 'Released the jobs of a dead worker process'));
    assert.deepEqual(await notes(database(), [...early, ...late]), { count: 60, twice: [] });
    assert.equal(await second.stop(), 0);
  });

  test('moving to the other engine and back loses nothing and does nothing twice', async (context) => {
    if (engine.name === 'postgres')
      return context.skip('there is no other one without Redis: see the block below');
    const on_postgres = { ...engine.environment, REDIS_URL: '' };
    const ids = await askForNotes(100);
    let workers = await startTestWorkers(on_postgres);
    await until('some are done', async () => (await notes(database(), ids)).count >= 10);
    await workers.kill();
    workers = await startTestWorkers(engine.environment);
    await until('more are done on Redis', async () => (await notes(database(), ids)).count >= 40);
    assert.equal(await workers.stop(), 0);
    workers = await startTestWorkers(on_postgres);
    await allDone();
    assert.deepEqual(await notes(database(), ids), { count: 100, twice: [] });
    assert.equal(await workers.stop(), 0);
  });

  test('an engine that was emptied is filled again at once, and what runs is not begun anew', async (context) => {
    if (!engine.redis) return context.skip('tickets on PostgreSQL stand beside the outbox');
    const workers = await startTestWorkers(engine.environment);
    const ids = await askForNotes(100);
    await until('some are done', async () => (await notes(database(), ids)).count >= 10);
    await engine.redis.empty();
    await until('all are done', async () => (await notes(database(), ids)).count === 100);
    const begun = await database().withConnection('*', ({ query }) =>
      query('SELECT delivery_id FROM begun WHERE delivery_id = ANY($1)', [ids]),
    );
    assert.equal(begun.length, 100);
    await until('the log says so', () =>
      workers.lines.some(({ msg }) => msg.startsWith('The queue engine is new')),
    );
    assert.equal(await workers.stop(), 0);
  });

  test('a Redis that is killed and comes back empty stops the work only while it is away', async (context) => {
    if (!engine.redis) return context.skip('there is no Redis');
    const workers = await startTestWorkers(engine.environment);
    const ids = await askForNotes(100);
    await until('some are done', async () => (await notes(database(), ids)).count >= 10);
    await engine.redis.kill();
    const late = await askForNotes(10);
    await engine.redis.start();
    await allDone();
    assert.deepEqual(await notes(database(), [...ids, ...late]), { count: 110, twice: [] });
    assert.equal(workers.process.exitCode, null);
    assert.equal(await workers.stop(), 0);
  });

  test('at SIGTERM a long job stops after a part, and another process goes on from there', async () => {
    const first = await startTestWorkers(engine.environment, ['csv-import']);
    const payload = { size: 2_000 };
    const [id] = await askFor(database(), { queue: 'csv-import', name: 'test.long' }, { payload });
    const parts = () =>
      database().withConnection('*', ({ query }) =>
        query<{ part: number }>('SELECT part FROM parts WHERE delivery_id = $1 ORDER BY part', [id]),
      );
    await until('some parts are done', async () => (await parts()).length >= 5);
    assert.equal(await first.stop(), 0);
    const draining = first.lines.find(({ msg }) => msg === 'The workers are draining');
    const running = draining?.['running'] as { delivery_id: string }[] | undefined;
    assert.deepEqual(
      running?.map((each) => each.delivery_id),
      [id],
    );
    const ended = first.lines.find(({ msg }) => msg === 'The workers have stopped');
    assert.deepEqual(ended?.['handed_back'], [id]);
    const before = (await parts()).length;
    const second = await startTestWorkers(engine.environment, ['csv-import']);
    await until('it goes on at once', async () => (await parts()).length > before);
    const done = (await parts()).map(({ part }) => part);
    assert.deepEqual(
      done,
      done.map((_, place) => place),
    );
    await second.kill();
  });
});
