import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { transaction } from '../../shared/db/transaction.ts';
import { job } from '../../shared/kernel/job.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { type Handler, handles, Postponed } from '../../workers/kernel/handler.ts';
import { onEachEngine } from '../support/engines.ts';
import { type Served, serveHere } from '../support/serving.ts';
import { until } from '../support/until.ts';

const queue = 'calendar-sync';
const organization_id = 'org_x';

onEachEngine((engine) => {
  let served: Served;

  before(async () => {
    served = await serveHere(engine, { queue, concurrency: 1 });
  });
  after(() => served.end());

  async function ask(name: string, handle: Handler<object>): Promise<string> {
    const declared = job({ name, queue, attempts: 2, time_limit: 60_000, payload: z.strictObject({}) });
    served.handlers.set(name, handles(declared, handle));
    const { database } = engine.test_database;
    return database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        const who = { actor: systemActor, request_id: null, ip_address: null };
        const work = new Work(
          { connection, organization_id, now: new Date(), ...who },
          { may_change_nothing: true },
        );
        const id = work.enqueue(declared, {});
        await commit(work.finish());
        return id;
      }),
    );
  }

  const stateOf = async (id: string) => {
    const [row] = await engine.test_database.database.withConnection('*', ({ query }) =>
      query('SELECT attempts, starts, error, failed_at FROM outbox WHERE id = $1', [id]),
    );
    return row;
  };

  test('a job that waits for others leaves the only place to them, and no try of it counts', async () => {
    let isDone = false;
    const attempts: number[] = [];
    const waiting = await ask('waits', async (_, delivery) => {
      attempts.push(delivery.attempt);
      if (!isDone) throw new Postponed('Waits for another', 5);
      await delivery.settle(async () => undefined);
    });
    await until('it has waited more often than it may be tried', () => attempts.length > 5);
    assert.partialDeepStrictEqual(await stateOf(waiting), { attempts: 0, failed_at: null });
    const other = await ask('other', async (_, delivery) => {
      isDone = true;
      await delivery.settle(async () => undefined);
    });
    await until('both have ended', async () => !(await stateOf(waiting)) && !(await stateOf(other)));
    assert.deepEqual([...new Set(attempts)], [1]);
  });
});
