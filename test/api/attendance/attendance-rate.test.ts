import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';

const NOW = new Date('2026-10-05T03:00:00.000Z');
const app = await startApp({ now: () => NOW });

test('a grant by law counts what was attended of the workdays since the first record', async () => {
  const owner = await newWorkplace(app);
  const { id: member_id } = await owner.person({ hired_on: '2026-03-02' });
  const off = async (type: string, date: string) => {
    const body = { type, member_id, start_date: date, end_date: date };
    const { leave_request } = await owner.done('POST', '/leave-requests', body);
    await owner.done('POST', `/leave-requests/${leave_request.id}/approve`);
  };
  const worked = (date: string) =>
    owner.done('PUT', `/records/${member_id}/${date}`, {
      sessions: [{ clock_in_at: `${date}T00:00:00Z`, clock_out_at: `${date}T01:00:00Z` }],
    });
  const granted = async () => {
    const asked = { member_id, from: '2026-09-01', as_of: '2026-09-30', dry_run: true };
    const [grant] = (await owner.done('POST', '/leave-balances/grant-statutory', asked)).grants;
    const { attendance_rate_percent, rate_source } = grant.basis;
    return [grant.granted_on, grant.days, attendance_rate_percent, rate_source];
  };
  assert.deepEqual(await granted(), ['2026-09-02', 10, null, 'none']);
  // The first record is of Monday, the 24th of August; the grant is seven workdays later.
  for (const date of ['2026-08-24', '2026-08-25']) await worked(date);
  await off('childcare', '2026-08-26');
  await off('condolence', '2026-08-27');
  await worked('2026-08-29');
  // Attended are two days and childcare, missed the 28th, the 31st and the 1st; condolence leave counts for neither, and
  // Saturday is no workday.
  assert.deepEqual(await granted(), ['2026-09-02', 0, 50, 'records']);
  await worked('2026-08-28');
  assert.deepEqual(await granted(), ['2026-09-02', 0, 66.6, 'records']);
  await worked('2026-08-31');
  assert.deepEqual(await granted(), ['2026-09-02', 10, 83.3, 'records']);
});
