import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { transaction } from '../../shared/db/transaction.ts';
import { job } from '../../shared/kernel/job.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { createJob, failJob } from '../../shared/platform/jobs/operations.ts';
import { discardDeliveries, retryDeliveries } from '../../shared/platform/outbox/dead-letters.ts';
import { deliveryPage } from '../../shared/platform/outbox/deliveries.ts';
import {
  type Handler,
  type Hooks,
  handles,
  PermanentFailure,
  TryLater,
} from '../../workers/kernel/handler.ts';
import { onEachEngine } from '../support/engines.ts';
import { type Served, serveHere } from '../support/serving.ts';
import { until } from '../support/until.ts';

const queue = 'calendar-sync';
const organization_id = 'org_x';

onEachEngine((engine) => {
  let served: Served;

  before(async () => {
    served = await serveHere(engine, { queue });
  });
  after(() => served.end());

  function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return engine.test_database.database.withConnection('*', (connection) =>
      connection.query<Row>(text, values),
    );
  }

  /** Asks for work that a user waits for; answers the delivery's and the job's ID. */
  function ask(name: string, handle: Handler<{ key: string }>, options: Options = {}) {
    const { attempts = 1, time_limit = 60_000, hooks } = options;
    const declared = job({ name, queue, attempts, time_limit, payload: z.strictObject({ key: z.string() }) });
    served.handlers.set(name, handles(declared, handle, hooks));
    const { database } = engine.test_database;
    return database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        const who = { actor: systemActor, request_id: null, ip_address: null };
        const work = new Work({ connection, organization_id, now: new Date(), ...who });
        const { id: job_id } = createJob(work, { kind: 'crm.thing.do', scope: 'crm:write', unit: null });
        const id = work.enqueue(declared, { key: name }, { job_id });
        await commit(work.finish());
        return { id, job_id };
      }),
    );
  }
  type Options = { attempts?: number; time_limit?: number; hooks?: Hooks<{ key: string }> };
  type JobState = { status: string; error: { code: string; message: string } | null };

  async function jobState(job_id: string): Promise<JobState> {
    return (await query<JobState>('SELECT status, error FROM jobs WHERE id = $1', [job_id]))[0]!;
  }
  const failed = (job_id: string) =>
    until('the job has failed', async () => {
      const state = await jobState(job_id);
      return state.status === 'failed' && state.error;
    });
  const retry = (ids: string[]) =>
    engine.test_database.database.withConnection('*', (connection) =>
      retryDeliveries(connection, ids, new Date()),
    );
  const listed = (name: string) =>
    engine.test_database.database.withConnection('*', (connection) =>
      deliveryPage(connection, { state: 'failed', name }, { limit: 10, offset: 0, now: new Date() }),
    );

  test('the job of a delivery that cannot be mended fails with its reason in words', async () => {
    const { id, job_id } = await ask('unreadable', async () => {
      throw new PermanentFailure('The file is not a CSV file', { code: 'unreadable_file' });
    });
    assert.deepEqual(await failed(job_id), {
      code: 'unreadable_file',
      message: 'The file is not a CSV file',
    });
    const { rows, total } = await listed('unreadable');
    assert.equal(total, 1);
    const [row] = rows;
    assert.deepEqual(
      [row?.id, row?.job_id, row?.attempts, row?.error],
      [id, job_id, 1, 'The file is not a CSV file'],
    );
  });

  test('an unexpected error is kept for operators, and its text is not shown to the owner of the job', async () => {
    const { job_id } = await ask('broken', async () => {
      throw new Error('relation "secret" does not exist');
    });
    const error = await failed(job_id);
    assert.equal(error.code, 'gave_up');
    assert.doesNotMatch(error.message, /secret/);
    assert.match((await listed('broken')).rows[0]?.error ?? '', /secret/);
  });

  test('what went on too long, or waited for another side in vain, says so to the owner', async () => {
    const slow = await ask('slow', () => new Promise(() => {}), { time_limit: 50 });
    const away = await ask('away', async () => {
      throw new TryLater('The calendar server is away');
    });
    assert.equal((await failed(slow.job_id)).code, 'time_limit');
    assert.match((await failed(away.job_id)).message, /^The calendar server is away/);
  });

  test('a retry runs the job again, with its resource queued and its domain told', async () => {
    const told: string[] = [];
    let mended = false;
    const hooks: Hooks<{ key: string }> = {
      gaveUp: async ({ key }, work, error) => {
        told.push(`gave up ${key}: ${error.code}`);
        const at = work.now.toISOString();
        work.run('INSERT INTO sweeps (name, started_at) VALUES ($1, $2)', ['gave up', at]);
      },
      retried: async ({ key }, work) => {
        told.push(`retried ${key}`);
        work.run("DELETE FROM sweeps WHERE name = 'gave up'", []);
      },
    };
    const handle: Handler<{ key: string }> = async (_, delivery) => {
      if (!mended) throw new PermanentFailure('not yet', { code: 'not_yet' });
      told.push(`attempt ${delivery.attempt}`);
    };
    const { id, job_id } = await ask('mended', handle, { hooks });
    await failed(job_id);
    assert.equal((await query("SELECT 1 FROM sweeps WHERE name = 'gave up'")).length, 1);
    mended = true;
    assert.equal(await retry([id, id, 'dlv_unknown']), 1);
    assert.deepEqual(await jobState(job_id), { status: 'queued', error: null });
    await until(
      'it is done',
      async () => (await query('SELECT 1 FROM outbox WHERE id = $1', [id])).length === 0,
    );
    assert.deepEqual(told, ['gave up mended: not_yet', 'retried mended', 'attempt 1']);
    assert.equal((await query("SELECT 1 FROM sweeps WHERE name = 'gave up'")).length, 0);
    assert.equal(await retry([id]), 0);
  });

  test('a domain whose hook fails does not keep its job alive', async () => {
    const gaveUp = async () => assert.fail('the hook fails');
    const handle = async () => assert.fail('so does the handler');
    const { job_id } = await ask('hook fails', handle, { hooks: { gaveUp } });
    await failed(job_id);
    assert.equal((await listed('hook fails')).total, 1);
  });

  test('a job that its domain fails too has failed once in the audit log', async () => {
    const declared: { job_id?: string } = {};
    const asked = Promise.withResolvers<void>();
    const gaveUp: Hooks<{ key: string }>['gaveUp'] = (_, work, error) =>
      failJob(work, declared.job_id!, error);
    const handle = async () => {
      await asked.promise;
      throw new PermanentFailure('no');
    };
    const { job_id } = await ask('failed by both', handle, { hooks: { gaveUp } });
    declared.job_id = job_id;
    asked.resolve();
    await failed(job_id);
    const entries = await query("SELECT FROM audit_logs WHERE entity_id = $1 AND action = 'update'", [
      job_id,
    ]);
    assert.equal(entries.length, 1);
  });

  test('a reason that the database cannot store as it is does not keep its job alive', async () => {
    const answer = 'The server said \0\ud83d';
    const hopeless = await ask('unprintable', async () => {
      throw new PermanentFailure(answer);
    });
    assert.equal((await failed(hopeless.job_id)).message, 'The server said \ufffd\ufffd');
    const again = await ask(
      'unprintable at first',
      async (_, { attempt }) => {
        if (attempt === 1) throw new TryLater(answer.repeat(10_000));
      },
      { attempts: 2 },
    );
    const reason = await until('the try has failed', async () => {
      const rows = await query<{ error: string | null }>('SELECT error FROM outbox WHERE id = $1', [
        again.id,
      ]);
      return rows[0]?.error;
    });
    assert.ok(reason.length < 10_000);
  });

  test('a job whose resource is gone is given up and retried all the same', async () => {
    const removed = Promise.withResolvers<void>();
    const gone = await ask('nobody waits', async () => {
      await removed.promise;
      throw new PermanentFailure('it fails');
    });
    await query('DELETE FROM jobs WHERE id = $1', [gone.job_id]);
    removed.resolve();
    await until('it is given up', async () => (await listed('nobody waits')).total === 1);
    assert.equal(await retry([gone.id]), 1);
  });

  test('many are retried at once, and what is discarded is gone while its job stays failed', async () => {
    const done: string[] = [];
    let fails = true;
    const handle: Handler<{ key: string }> = async (_, { delivery_id }) => {
      if (fails) throw new PermanentFailure('no');
      done.push(delivery_id);
    };
    const asked = [];
    for (let count = 0; count < 5; count++) asked.push(await ask('many', handle));
    for (const { job_id } of asked) await failed(job_id);
    fails = false;
    const [first, ...others] = asked;
    const { database } = engine.test_database;
    const discard = (id: string) =>
      database.withConnection('*', (connection) => discardDeliveries(connection, [id], new Date()));
    assert.deepEqual([await discard(first!.id), await discard(first!.id)], [1, 0]);
    assert.equal(await retry(others.map(({ id }) => id)), 4);
    await until('the others are done', () => done.length === 4);
    assert.equal((await jobState(first!.job_id)).status, 'failed');
    assert.equal((await listed('many')).total, 0);
  });
});
