import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { newId } from '../../shared/kernel/id.ts';
import type { Backend } from '../../workers/kernel/backend.ts';
import { dispatch, dispatchAgain } from '../../workers/kernel/dispatch.ts';
import { onEachEngine } from '../support/engines.ts';
import { backendOf } from '../support/serving.ts';

const queue = 'calendar-sync';
const start = new Date('2026-11-21T00:00:00.000Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

onEachEngine((engine) => {
  let backend: Backend;

  before(() => {
    backend = backendOf(engine);
  });
  after(async () => {
    await backend.queue(queue).close();
    await backend.end();
  });
  beforeEach(async () => {
    await loseTickets();
    await query('DELETE FROM outbox');
  });

  function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return engine.test_database.database.withConnection('*', (connection) =>
      connection.query<Row>(text, values),
    );
  }

  async function loseTickets(): Promise<void> {
    if (engine.redis) await engine.redis.empty();
    else await query('DELETE FROM bullmq.job');
  }

  async function enqueue(organization_id: string, count: number, at: Date): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('dlv', at));
    await query(
      `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at)
       SELECT $1, id, $3, 'test.job', '{}', $4 FROM unnest($2::text[]) AS id`,
      [organization_id, ids, queue, at.toISOString()],
    );
    return ids;
  }

  const hand = (now: Date, in_flight = 3) =>
    dispatch(engine.test_database.database, backend, { queue, in_flight, now });

  async function tickets(): Promise<string[]> {
    const jobs = await backend.queue(queue).getJobs(['waiting', 'prioritized']);
    return jobs.map((job) => job.data.delivery_id).sort();
  }

  test('one organization fills its places with its oldest jobs, and holds up nobody else', async () => {
    const many = await enqueue('org_a', 1000, start);
    const [other] = await enqueue('org_b', 1, later(1));
    assert.equal(await hand(later(2)), 4);
    assert.deepEqual(await tickets(), [...many.slice(0, 3), other].sort());
    assert.equal(await hand(later(3)), 0);
  });

  test('a place that becomes free goes to the next job', async () => {
    const [first, , , fourth] = await enqueue('org_a', 5, start);
    await hand(later(1));
    await query('DELETE FROM outbox WHERE id = $1', [first]);
    assert.equal(await hand(later(2)), 1);
    assert.ok((await tickets()).includes(fourth!));
  });

  test('a job that is to be tried again waits until it is due, and holds no place meanwhile', async () => {
    const [failed, ...rest] = await enqueue('org_a', 4, start);
    await query('UPDATE outbox SET due_at = $2 WHERE id = $1', [failed, later(60).toISOString()]);
    assert.equal(await hand(later(1)), 3);
    assert.deepEqual(await tickets(), rest.sort());
    await query('DELETE FROM outbox WHERE id <> $1', [failed]);
    assert.equal(await hand(later(59)), 0);
    assert.equal(await hand(later(60)), 1);
  });

  test('a job that was given up is left alone and holds no place', async () => {
    const [failed] = await enqueue('org_a', 4, start);
    await hand(later(1), 1);
    await query('UPDATE outbox SET failed_at = $2 WHERE id = $1', [failed, later(2).toISOString()]);
    assert.equal(await hand(later(3), 1), 1);
    assert.equal(await again(later(100)), 1);
  });

  test('whoever dies between ticket and commit has done no harm: the same ticket is put once', async () => {
    const ids = await enqueue('org_a', 3, start);
    await hand(later(1));
    await query('UPDATE outbox SET handed_over_at = NULL, hand_overs = 0');
    assert.equal(await hand(later(2)), 3);
    assert.deepEqual(await tickets(), ids.sort());
  });

  test('several that hand over at a time keep to the places', async () => {
    await enqueue('org_a', 100, start);
    const counts = await Promise.all([1, 2, 3, 4].map(() => hand(later(1))));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      3,
    );
    assert.equal((await tickets()).length, 3);
  });

  test('tickets that the queue has lost are put again after a while, and those it has are left', async () => {
    const ids = await enqueue('org_a', 3, start);
    await hand(later(1));
    assert.equal(await again(later(61)), 0);
    assert.equal(await again(later(62)), 3);
    assert.equal((await tickets()).length, 3);
    await loseTickets();
    assert.equal(await again(later(200)), 3);
    assert.deepEqual(await tickets(), ids.sort());
  });

  const again = (now: Date) =>
    dispatchAgain(engine.test_database.database, backend, {
      queue,
      now,
      before: new Date(now.getTime() - 60_000),
    });
});
