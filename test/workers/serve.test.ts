import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { Failure } from '../../shared/kernel/failure.ts';
import { newId } from '../../shared/kernel/id.ts';
import { job } from '../../shared/kernel/job.ts';
import {
  type Handler,
  type Hooks,
  handles,
  PermanentFailure,
  TryLater,
} from '../../workers/kernel/handler.ts';
import { onEachEngine } from '../support/engines.ts';
import { type Asked, askFor, type Served, serveHere } from '../support/serving.ts';
import { until } from '../support/until.ts';

const queue = 'calendar-sync';
const declare = (name: string, attempts: number, time_limit = 60_000) =>
  job({ name, queue, attempts, time_limit, payload: z.strictObject({ key: z.string() }) });

type Row = {
  attempts: number;
  starts: number;
  failed_at: string | null;
  error: string | null;
  due_at: string | null;
};

onEachEngine((engine) => {
  let served: Served;

  before(async () => {
    served = await serveHere(engine, { queue });
  });
  after(() => served.end());

  /** Has the handler run for a job of its own; answers the delivery's ID. */
  async function ask(name: string, handle: Handler<{ key: string }>, options: Asking = {}): Promise<string> {
    const { attempts = 3, time_limit, payload = { key: name }, hooks, ...others } = options;
    served.handlers.set(name, handles(declare(name, attempts, time_limit), handle, hooks));
    const { database } = engine.test_database;
    const [id] = await askFor(database, { queue, name }, { payload, ...others });
    return id!;
  }
  type Asking = Asked & { attempts?: number; time_limit?: number; hooks?: Hooks<{ key: string }> };

  function query<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return engine.test_database.database.withConnection('*', (connection) =>
      connection.query<R>(text, values),
    );
  }

  async function row(id: string): Promise<Row | undefined> {
    return (await query<Row>('SELECT * FROM outbox WHERE id = $1', [id]))[0];
  }

  async function receipts(id: string): Promise<number> {
    return (await query('SELECT 1 FROM receipts WHERE delivery_id = $1', [id])).length;
  }

  const isDone = (id: string) => async () => (await row(id)) === undefined;

  test('what a job settles, its receipt and its end commit together', async () => {
    const id = await ask('writes', async ({ key }, delivery) => {
      await delivery.settle(async (work) => {
        work.run('INSERT INTO sweeps (name, started_at) VALUES ($1, $2)', [key, work.now.toISOString()]);
      });
    });
    await until('the job is done', isDone(id));
    assert.equal(await receipts(id), 1);
    assert.equal((await query("SELECT 1 FROM sweeps WHERE name = 'writes'")).length, 1);
  });

  test('a second delivery changes nothing', async () => {
    let writes = 0;
    const handle: Handler<{ key: string }> = async (_, delivery) => {
      await delivery.settle(async () => {
        writes += 1;
      });
    };
    const id = await ask('twice', handle);
    await until('the job is done', isDone(id));
    await query(
      `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at) VALUES ('org_x', $1, $2, 'twice', $3, $4)`,
      [id, queue, { key: 'x' }, new Date().toISOString()],
    );
    const next = await ask('twice', handle);
    await until('the next job is done', isDone(next));
    assert.equal(writes, 2);
    assert.equal(await receipts(id), 1);
    await until('the second delivery has ended too', isDone(id));
  });

  test('two deliveries at the same time settle once', async () => {
    const both = Promise.withResolvers<void>();
    let runs = 0;
    let writes = 0;
    const other = await serveHere(engine, { queue });
    const handle: Handler<{ key: string }> = async (_, delivery) => {
      runs += 1;
      if (runs === 2) both.resolve();
      await both.promise;
      await delivery.settle(async () => {
        writes += 1;
      });
    };
    other.handlers.set('parallel', handles(declare('parallel', 3), handle));
    const id = await ask('parallel', handle);
    await until('the first run is under way', () => runs === 1);
    // Its process is believed to be dead, and the other one gets the job.
    for (const one of [served, other]) if (one.serving.running().length > 0) await one.serving.pause();
    await query('UPDATE outbox SET handed_over_at = NULL WHERE id = $1', [id]);
    served.relay.wake();
    await until('the job is done', isDone(id));
    assert.deepEqual([runs, writes, await receipts(id)], [2, 1, 1]);
    for (const one of [served, other]) await one.serving.resume();
    await other.end();
  });

  test('a job whose ticket the queue has lost is found and done', async () => {
    let runs = 0;
    served.handlers.set(
      'lost',
      handles(declare('lost', 1), async () => {
        runs += 1;
      }),
    );
    const id = newId('dlv', new Date());
    const at = new Date(Date.now() - 10_000).toISOString();
    await query(
      `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at, handed_over_at)
       VALUES ('org_x', $1, $2, 'lost', $3, $4, $4)`,
      [id, queue, { key: 'x' }, at],
    );
    await until('the job is done', isDone(id));
    assert.equal(runs, 1);
  });

  test('a failed try writes nothing and is followed by another one after a pause', async () => {
    const tries: number[] = [];
    const id = await ask('fails once', async (_, delivery) => {
      tries.push(Date.now());
      await delivery.settle(async (work) => {
        work.run('INSERT INTO sweeps (name, started_at) VALUES ($1, $2)', [
          'fails once',
          work.now.toISOString(),
        ]);
        if (tries.length === 1) throw new Error('the first try fails');
      });
    });
    await until('the first try has failed', async () => (await row(id))?.attempts === 1);
    const failed = await row(id);
    assert.equal(failed?.error, 'the first try fails');
    assert.ok(Date.parse(failed?.due_at ?? '') > tries[0]! + 2_000);
    assert.equal((await query("SELECT 1 FROM sweeps WHERE name = 'fails once'")).length, 0);
    await until('the job is done', isDone(id));
    assert.equal(tries.length, 2);
  });

  test('a handler may say when its next try comes', async () => {
    const id = await ask('pauses', async () => {
      throw new TryLater('the other side is away', { pause: 3_600_000 });
    });
    await until('the try has failed', async () => (await row(id))?.attempts === 1);
    const minutes = (Date.parse((await row(id))?.due_at ?? '') - Date.now()) / 60_000;
    assert.ok(minutes > 50 && minutes < 61, `${minutes} minutes`);
  });

  test('a job whose tries are used up is kept with its reason, and with what callers are not told', async () => {
    const cause = new Error('no space left on device');
    const detail = 'The file could not be stored';
    const rows: [string, Error, string][] = [
      ['always fails', new TryLater('the other side is away'), 'the other side is away'],
      [
        'full disk',
        new Failure('unavailable', { detail: { en: detail, ja: detail }, cause }),
        `${detail}: no space left on device`,
      ],
    ];
    for (const [name, error, reason] of rows) {
      const id = await ask(name, () => Promise.reject(error), { attempts: 1 });
      await until('the job is given up', async () => (await row(id))?.failed_at);
      assert.equal((await row(id))?.error, reason);
      assert.equal(await receipts(id), 0);
    }
  });

  test('an error that cannot be mended gives the job up at once', async () => {
    const id = await ask('hopeless', async () => {
      throw new PermanentFailure('the record is of a kind that cannot be sent');
    });
    const given_up = await until('the job is given up', async () => {
      const found = await row(id);
      return found?.failed_at ? found : null;
    });
    assert.equal(given_up.attempts, 1);
  });

  test('a payload that its schema refuses gives the job up', async () => {
    const id = await ask('payload', async () => {}, { payload: { key: 1 } });
    const given_up = await until('the job is given up', async () => {
      const found = await row(id);
      return found?.failed_at ? found : null;
    });
    assert.match(given_up.error ?? '', /payload is not valid[\s\S]*key/);
  });

  test('a try that takes longer than its limit is a failed one, and can settle nothing afterwards', async () => {
    const late = Promise.withResolvers<unknown>();
    const id = await ask(
      'too long',
      async (_, delivery) => {
        await new Promise((resolve) => delivery.signal.addEventListener('abort', resolve));
        await delivery.settle(async () => {}).then(late.resolve, late.resolve);
      },
      { attempts: 1, time_limit: 50 },
    );
    await until('the job is given up', async () => (await row(id))?.failed_at);
    assert.match(String(await late.promise), /longer than 50 ms/);
    assert.equal(await receipts(id), 0);
  });

  test('a job that ends its process again and again is given up', async () => {
    const id = await ask('deadly', async () => assert.fail('it was run'), { starts: 25 });
    await until('the job is given up', async () => (await row(id))?.failed_at);
    assert.match((await row(id))?.error ?? '', /ended 25 times/);
  });
});
