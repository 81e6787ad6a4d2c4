import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';

const app = await startApp({ now: () => new Date('2026-11-24T01:00:00.000Z') });
const owner = await newWorkplace(app);

/** What is refused, as the code of each field. */
function faults({ body }: { body?: { errors?: { path: string; code: string }[] } }): string[] {
  return (body?.errors ?? []).map(({ path, code }) => `${path} ${code}`);
}

describe('a date outside the years 1900 to 2199', () => {
  test('is refused where a body names it', async () => {
    const { member_id } = owner;
    const calls: [string, string, object, string][] = [
      ['POST', '/leave-requests', { type: 'sick', start_date: '9999-12-31' }, '/start_date'],
      ['PATCH', `/members/${member_id}`, { hired_on: '9999-12-31' }, '/hired_on'],
      ['PATCH', '/settings', { effective_from: '0001-01-01', closing_day: 5 }, '/effective_from'],
      ['POST', '/settings/holidays', { date: '0001-01-01', name: '創業' }, '/date'],
      ['POST', `/members/${member_id}/terms`, { effective_from: '0001-01-01' }, '/effective_from'],
      ['POST', '/punches', { type: 'clock_in', occurred_at: '0001-01-01T00:00:00Z' }, '/occurred_at'],
      ['POST', '/leave-balances', { days: 1, granted_on: '9998-12-31' }, '/granted_on'],
      ['POST', '/leave-balances/grant-statutory', { as_of: '9999-12-31', dry_run: true }, '/as_of'],
      ['POST', '/corrections', { work_date: '9999-12-31', sessions: [], reason: '訂正' }, '/work_date'],
    ];
    for (const [method, path, body, field] of calls) {
      const reply = await owner.send(method, `/attendance${path}`, body);
      assert.deepEqual(
        [reply.status, faults(reply)],
        [422, [`${field} out_of_range`]],
        `${path} ${reply.text}`,
      );
    }
  });

  test('is refused where a query names it, and no path has one', async () => {
    const calls: [string, string][] = [
      ['/exports/csv?from=9999-12-31&to=9999-12-31', 'from'],
      ['/punches/history?to=0001-01-01', 'to'],
      ['/leave-balances/me?as_of=9999-12-31', 'as_of'],
    ];
    for (const [path, parameter] of calls) {
      const reply = await owner.get(`/attendance${path}`);
      assert.deepEqual([reply.status, faults(reply)[0]], [422, `${parameter} out_of_range`], reply.text);
    }
    assert.equal((await owner.get('/attendance/reports/monthly?month=2200-01')).status, 422);
    assert.equal((await owner.get(`/attendance/records/${owner.member_id}/9999-12-31`)).status, 404);
  });
});
