import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transaction } from '../../shared/db/transaction.ts';
import { startApp } from '../support/app.ts';
import { newWorkplace, type Workplace } from '../support/attendance.ts';
import { ended, exported, startExportWorkers } from '../support/exports.ts';
import { somebodyWaits } from '../support/held.ts';
import type { TestWorkers } from '../support/workers.ts';

// Workers begin where a test says so, and end with it: a part takes 25 members, and a team has two parts.
const app = await startApp();
const PEOPLE = 30;
const DATE = '2026-10-06';

/** A team whose people worked from 09:00 to 18:00 on a Tuesday, in the order of their IDs. */
async function teamAtWork(): Promise<{ owner: Workplace; ids: string[] }> {
  const owner = await newWorkplace(app);
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => owner.person()));
  const ids = [owner.member_id, ...people.map(({ id }) => id as string)].sort();
  const sessions = [
    {
      clock_in_at: '2026-10-06T00:00:00.000Z',
      clock_out_at: '2026-10-06T09:00:00.000Z',
      breaks: [{ start_at: '2026-10-06T03:00:00.000Z', end_at: '2026-10-06T04:00:00.000Z' }],
    },
  ];
  await Promise.all(ids.map((id) => owner.done('PUT', `/records/${id}/${DATE}`, { sessions })));
  return { owner, ids };
}

/** By member, what the day came to: minutes that were left early, how often it was computed, and whether it is marked. */
async function daysOf(owner: Workplace, ids: readonly string[]): Promise<[number, number, boolean][]> {
  const replies = await Promise.all(ids.map((id) => owner.get(`/attendance/records/${id}/${DATE}`)));
  return replies.map(({ body: { record } }) => [
    record.early_leave_minutes,
    record.calc_version,
    record.alerts.includes('recalculating'),
  ]);
}

/** Has the working day end later; the job that computes days again. */
async function endAt(owner: Workplace, end: string): Promise<string> {
  const { items } = await owner.done('GET', '/schedules');
  const { job } = await owner.done('PATCH', `/schedules/${items[0].id}`, { end, minutes: 480 });
  assert.ok(job);
  return job.id;
}

/** Holds the row of a member, for whom a recalculation then waits; the answer lets it go. */
async function holdMember(owner: Workplace, member_id: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const over = app.database.withConnection(owner.organization_id, (connection) =>
    transaction(connection, async () => {
      await connection.query(
        'SELECT FROM attendance_members WHERE organization_id = $1 AND id = $2 FOR UPDATE',
        [owner.organization_id, member_id],
      );
      held.resolve();
      await release.promise;
    }),
  );
  await held.promise;
  return async () => {
    release.resolve();
    await over;
  };
}

async function withWorkers<T>(run: (workers: TestWorkers) => Promise<T>): Promise<T> {
  const workers = await startExportWorkers(app);
  try {
    return await run(workers);
  } finally {
    await workers.stop();
  }
}

describe('a recalculation', () => {
  test('marks days until they are done; changes before it begins join it', async () => {
    const { owner, ids } = await teamAtWork();
    assert.deepEqual(new Set((await daysOf(owner, ids)).map(String)), new Set(['0,1,false']));
    const first = await endAt(owner, '19:00');
    const second = await endAt(owner, '20:00');
    assert.equal(second, first);
    assert.deepEqual(new Set((await daysOf(owner, ids)).map(String)), new Set(['0,1,true']));
    const job = await withWorkers(() => ended(owner, first));
    assert.deepEqual([job.status, job.progress], ['succeeded', { done: 31, total: 31, unit: 'members' }]);
    assert.deepEqual(new Set((await daysOf(owner, ids)).map(String)), new Set(['120,2,false']));
  });

  test('that is killed in the middle goes on where it was, and computes each day once', async () => {
    const { owner, ids } = await teamAtWork();
    const release = await holdMember(owner, ids.at(-1)!);
    const job_id = await endAt(owner, '19:00');
    const workers = await startExportWorkers(app);
    await somebodyWaits(app.database);
    const marked = (await daysOf(owner, ids)).map(([, , isMarked]) => isMarked);
    assert.deepEqual([marked[0], marked[24], marked[25], marked[30]], [false, false, true, true]);
    await workers.kill();
    await release();
    const job = await withWorkers(() => ended(owner, job_id));
    assert.deepEqual([job.status, job.progress.done], ['succeeded', 31]);
    assert.deepEqual(new Set((await daysOf(owner, ids)).map(String)), new Set(['60,2,false']));
  });

  test('runs beside an export; a change meanwhile is computed after it, a cancelled one with the next change', async () => {
    const { owner, ids } = await teamAtWork();
    const release = await holdMember(owner, ids.at(-1)!);
    const first = await endAt(owner, '19:00');
    await withWorkers(async () => {
      await somebodyWaits(app.database);
      assert.equal((await exported(app, owner, '/crm/companies')).job.status, 'succeeded');
      const second = await endAt(owner, '20:00');
      assert.notEqual(second, first);
      const cancelled = await owner.post(`/jobs/${second}/cancel`);
      assert.equal(cancelled.status, 200, cancelled.text);
      const third = await endAt(owner, '21:00');
      assert.ok(third !== first && third !== second);
      await release();
      assert.equal((await ended(owner, first)).status, 'succeeded');
      assert.equal((await ended(owner, third)).status, 'succeeded');
    });
    assert.deepEqual(
      new Set((await daysOf(owner, ids)).map(([early, , marked]) => `${early} ${marked}`)),
      new Set(['180 false']),
    );
  });
});
