import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { libfaketime } from '../support/moved-clock.ts';
import { founded, movedPrograms, tokyo } from '../support/moved-programs.ts';
import { until } from '../support/until.ts';

/** The service on the last day of March, with what waits until the daily runs of a time are done. */
async function withDailyRuns() {
  const service = await movedPrograms('2026-03-31T10:00');
  await service.work('report-export,email');
  const dailyRunsAt = (time: string) =>
    until(`the daily runs of ${time} are done`, async () => {
      const left = await service.database.withConnection('*', ({ query }) =>
        query(
          `SELECT FROM attendance_daily_runs WHERE due_at <= $1
           UNION ALL SELECT FROM outbox WHERE name = 'attendance.daily'`,
          [tokyo(time)],
        ),
      );
      return left.length === 0;
    });
  return { ...service, dailyRunsAt };
}

describe('fourteen months of a company', {
  skip: libfaketime ? false : 'libfaketime is not installed',
}, () => {
  test('bring grants, lapses, ends and closings, each on its day of the local clock', async () => {
    const service = await withDailyRuns();
    const { moveTo, dailyRunsAt } = service;
    const api = await founded(service);
    const done = async (method: string, path: string, body?: unknown) => {
      const reply = await api.send(method, `/attendance${path}`, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
      return reply.body;
    };
    const person = async (name: string, fields: object): Promise<string> =>
      (await done('POST', '/members', { name, ...fields })).member.id;
    const balance = async (member_id: string, type = 'paid_annual') =>
      (await done('GET', `/leave-balances?member_id=${member_id}&type=${type}`)).items[0];
    const granted = async (member_id: string) => {
      const { grants } = await balance(member_id);
      return grants.map((grant: { granted_on: string; days: number; expires_on: string | null }) => {
        return [grant.granted_on, grant.days, grant.expires_on];
      });
    };
    const submit = (member_id: string, month: string) =>
      api.post('/attendance/submissions', { member_id, month, accept_absences: true });

    const spring = await person('佐藤 春', { hired_on: '2025-10-01' });
    const late = await person('鈴木 暦', { hired_on: '2025-08-29' });
    const leaving = await person('高橋 去', { hired_on: '2024-05-01', left_on: '2026-06-30' });
    await done('POST', '/leave-balances', {
      member_id: late,
      type: 'special',
      days: 2,
      granted_on: '2026-03-31',
      expires_on: '2026-04-30',
    });

    // Six months after the hire, from half past midnight on.
    await moveTo('2026-04-01T00:05');
    assert.deepEqual(await granted(spring), []);
    await moveTo('2026-04-01T00:31');
    await dailyRunsAt('2026-04-01T00:31');
    assert.deepEqual(await granted(spring), [['2026-04-01', 10, '2028-03-31']]);
    assert.deepEqual(await granted(late), []);

    // A grant holds to the end of its last day, and a period may be submitted on its last one.
    await moveTo('2026-04-29T23:50');
    assert.equal((await submit(late, '2026-04')).body.code, 'period_open');
    await moveTo('2026-04-30T23:50');
    assert.equal((await balance(late, 'special')).total_remaining_days, 2);
    assert.equal((await submit(late, '2026-04')).status, 201);
    await moveTo('2026-05-01T00:00');
    const [lapsed] = (await balance(late, 'special')).grants;
    assert.equal((await balance(late, 'special')).total_remaining_days, 0);
    assert.deepEqual([lapsed.remaining_days, lapsed.lapsed_days], [0, 2]);

    // The month that is submitted is locked, the next one is not.
    const punch = (occurred_at: string) =>
      api.post('/attendance/punches', { member_id: late, type: 'clock_in', occurred_at: tokyo(occurred_at) });
    assert.equal((await punch('2026-04-30T09:00')).body.code, 'month_locked');
    await moveTo('2026-05-07T09:00');
    assert.equal((await punch('2026-05-07T09:00')).status, 201);
    const status = async () => (await done('GET', `/punches/status?member_id=${late}`)).status.state;
    await moveTo('2026-05-08T08:59');
    assert.equal(await status(), 'working');
    await moveTo('2026-05-08T09:02');
    assert.equal(await status(), 'off_duty');
    const { record } = await done('GET', `/records/${late}/2026-05-07`);
    assert.ok(record.alerts.includes('missing_clock_out'), record.alerts);
    await done('PUT', `/records/${late}/2026-05-07`, {
      sessions: [
        { clock_in_at: tokyo('2026-05-07T09:00'), clock_out_at: tokyo('2026-05-07T18:00'), breaks: [] },
      ],
      reason: '退勤の打刻忘れ',
    });

    // Whoever leaves is active on the last day, and has left after it.
    const statusOf = async (id: string) => (await done('GET', `/members/${id}`)).member.status;
    await moveTo('2026-06-30T23:50');
    assert.equal(await statusOf(leaving), 'active');
    await moveTo('2026-07-01T00:31');
    await dailyRunsAt('2026-07-01T00:31');
    assert.equal(await statusOf(leaving), 'left');

    // Each month is closed after the one before, after a pause of weeks in which nothing ran.
    const months = ['04', '05', '06', '07', '08', '09', '10', '11', '12', '01', '02', '03'];
    for (const [index, number] of months.entries()) {
      const month = `${index < 9 ? 2026 : 2027}-${number}`;
      const next = Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();
      if (next > '2026-06') await moveTo(`${next}-01T00:31`);
      await dailyRunsAt(`${next}-01T00:31`);
      // 18 months after 29 August are 29 February, which 2027 lacks: the day after, and after 00:30.
      if (next === '2027-03') assert.deepEqual(await granted(late), [['2027-03-01', 0, null]]);
      const submitted = await submit(late, month);
      assert.equal(submitted.status, index === 0 ? 409 : 201, submitted.text);
      const [{ id }] = (await done('GET', `/submissions?member_id=${late}&month=${month}`)).items;
      assert.equal((await done('POST', `/submissions/${id}/confirm`)).submission.status, 'confirmed');
    }

    // A year later, by the attendance of that year: nobody recorded a day, which is no absence that is known.
    await moveTo('2027-05-31T12:00');
    await dailyRunsAt('2027-05-31T12:00');
    assert.deepEqual(await granted(spring), [
      ['2026-04-01', 10, '2028-03-31'],
      ['2027-04-01', 11, '2029-03-31'],
    ]);
    assert.deepEqual(await granted(leaving), []);
    assert.equal((await submit(spring, '2027-05')).status, 201);
  });
});
