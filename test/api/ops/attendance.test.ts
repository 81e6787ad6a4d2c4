import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';
import { newEmail, newOwner } from '../../support/people.ts';

const app = await startApp({ environment: WITH_OPERATORS });

before(async () => {
  const owner = await newOwner(app);
  await owner.post('/invitations', { email: newEmail(), role: 'member' });
  const workplace = await newWorkplace(app);
  await workplace.done('PUT', `/records/${workplace.member_id}/2026-10-06`, {
    sessions: [
      { clock_in_at: '2026-10-06T00:00:00.000Z', clock_out_at: '2026-10-06T09:00:00.000Z', breaks: [] },
    ],
  });
  const { items } = await workplace.done('GET', '/schedules');
  const { job } = await workplace.done('PATCH', `/schedules/${items[0].id}`, { end: '19:00', minutes: 480 });
  await app.database.withConnection('*', async ({ query }) => {
    await query(
      "UPDATE attendance_daily_runs SET due_at = now() - interval '2 hours' WHERE organization_id = $1",
      [owner.organization_id],
    );
    await query(
      "UPDATE invitations SET delivery_status = 'failed', slack_user_id = 'U1' WHERE organization_id = $1",
      [owner.organization_id],
    );
    await query("UPDATE jobs SET created_at = now() - interval '3 hours' WHERE id = $1", [job.id]);
  });
});

describe('attendance of all organizations', () => {
  test('is a panel of what waits and failed, with ages', async () => {
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    const panel = text.slice(text.indexOf('Attendance of all organizations'));
    assert.match(panel, /Daily runs that are overdue[\s\S]*?>1<[\s\S]*?2 h ago/);
    assert.match(panel, /Recalculations under way[\s\S]*?>1<[\s\S]*?3 h ago/);
    assert.match(panel, /Messages in Slack that failed this week[\s\S]*?>1</);
    const files = text.slice(text.indexOf('Files and uploads'), text.indexOf('Attendance of all'));
    assert.doesNotMatch(files, /Daily runs/);
  });

  test('are numbers at /metrics', async () => {
    const told = await (await fetch(`${app.base_url}/metrics`)).text();
    const number = (name: string) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(told)?.[1] ?? Number.NaN);
    assert.equal(number('attendance_daily_runs_behind'), 1);
    assert.ok(number('attendance_daily_runs_behind_oldest_seconds') >= 7_200);
    assert.equal(number('attendance_recalculations_waiting'), 1);
    assert.ok(number('attendance_recalculations_waiting_oldest_seconds') >= 10_800);
    assert.equal(number('attendance_slack_messages_failed'), 1);
  });
});
