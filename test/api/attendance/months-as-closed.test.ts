import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { confirmedMonth, newClosingOffice, putDay } from '../../support/closing.ts';

const app = await startApp({ now: () => new Date('2026-11-24T01:00:00.000Z') });

test('a confirmed month is told as it was confirmed, whatever is laid down afterwards', async () => {
  const office = await newClosingOffice(app);
  const { owner, member } = office;
  await putDay(owner, member, '2026-10-05');
  const read = async (path: string) => (await owner.get(`/attendance${path}`)).body;
  const whose = `member_id=${member.member_id}`;
  const monthly = async () => (await read(`/reports/monthly?month=2026-10&${whose}`)).items[0];
  const limits = async (more = '') => (await read(`/limits?month=2026-10&${whose}${more}`)).items[0].limits;
  const before = await monthly();
  const { id } = await confirmedMonth(office, '2026-10');
  const opening = { month: '2026-09', statutory_overtime_minutes: 6_000, legal_holiday_minutes: 0 };
  const put = await owner.send('PUT', `/attendance/members/${member.member_id}/opening-months`, {
    items: [opening],
  });
  assert.equal(put.status, 200, put.text);
  const after = await monthly();
  assert.deepEqual([before.submission_status, after.submission_status], ['none', 'confirmed']);
  assert.deepEqual([after.totals, after.limits], [before.totals, before.limits]);
  assert.deepEqual(await limits(), before.limits);
  assert.equal(
    (await limits('&as_of=2026-10-31')).year_overtime_minutes,
    before.limits.year_overtime_minutes + 6_000,
  );
  const { report } = (await member.get('/attendance/reports/my-monthly?month=2026-10&explain=true')).body;
  assert.deepEqual([report.submission.id, report.submission.status], [id, 'confirmed']);
  assert.ok(report.days.every(({ locked }: { locked: boolean }) => locked));
  const { dashboard } = await read('/dashboard');
  assert.deepEqual([dashboard.submissions.month, dashboard.submissions.confirmed], ['2026-10', 1]);
});
