import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';

/** A Thursday; November 2026 has 19 workdays, the 3rd and the 23rd being holidays. */
const NOW = new Date('2026-11-26T12:00:00.000Z');
const app = await startApp({ now: () => NOW });

/** Records a session of a date from 09:00 Tokyo, of so many hours with an hour of break after three. */
async function work(owner: Workplace, member_id: string, date: string, hours: number): Promise<void> {
  const begin = Date.parse(`${date}T00:00:00.000Z`);
  const at = (hour: number) => new Date(begin + hour * 3_600_000).toISOString();
  await owner.done('PUT', `/records/${member_id}/${date}`, {
    sessions: [
      { clock_in_at: at(0), clock_out_at: at(hours + 1), breaks: [{ start_at: at(3), end_at: at(4) }] },
    ],
  });
}

const SUMMED = ['worked_minutes', 'scheduled_minutes', 'statutory_overtime_minutes', 'absence_minutes'];

/** The sums of a member's kept days, by the database. */
async function sums(owner: Workplace, member_id: string, from: string, to: string) {
  const [row] = await app.database.withConnection(owner.organization_id, ({ query }) =>
    query<Record<string, number>>(
      `SELECT ${SUMMED.map((name) => `coalesce(sum(${name}), 0)::integer AS ${name}`).join(', ')},
              count(*) FILTER (WHERE worked_minutes > 0)::integer AS attended_days
         FROM attendance_records
        WHERE organization_id = $1 AND member_id = $2 AND work_date BETWEEN $3 AND $4`,
      [owner.organization_id, member_id, from, to],
    ),
  );
  return row!;
}

describe('GET /reports/monthly', () => {
  test('is of those who have begun: who is only invited is in no month', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    await app.database.withConnection(owner.organization_id, ({ query }) =>
      query(`UPDATE attendance_members SET status = 'invited' WHERE organization_id = $1 AND id = $2`, [
        owner.organization_id,
        id,
      ]),
    );
    const listed = async () => {
      const { items } = await owner.done('GET', '/reports/monthly?month=2026-10');
      return items.map((item: { id: string }) => item.id);
    };
    assert.deepEqual(await listed(), [owner.member_id]);
    await owner.done('PATCH', `/members/${id}`, { hired_on: '2026-10-01' });
    assert.deepEqual((await listed()).toSorted(), [owner.member_id, id].toSorted());
  });

  test('adds up what the database does; days without record are absences once they are past', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person({ employee_code: 'A' });
    for (const date of ['2026-10-01', '2026-10-02', '2026-10-05']) await work(owner, id, date, 10);
    const { items } = await owner.done('GET', `/reports/monthly?month=2026-10&member_id=${id}`);
    const [{ totals, member, period_start, period_end, submission_status }] = items;
    const kept = await sums(owner, id, '2026-10-01', '2026-10-31');
    assert.deepEqual([member.id, period_start, period_end], [id, '2026-10-01', '2026-10-31']);
    assert.equal(submission_status, 'none');
    assert.deepEqual(
      [totals.worked_minutes, totals.scheduled_minutes, totals.statutory_overtime_minutes],
      [kept['worked_minutes'], kept['scheduled_minutes'], kept['statutory_overtime_minutes']],
    );
    assert.deepEqual([totals.worked_minutes, totals.statutory_overtime_minutes], [1_800, 360]);
    // October has 22 weekdays, and Sports Day among them.
    assert.deepEqual(
      [totals.workdays, totals.attended_days, totals.absence_days, totals.absence_minutes],
      [21, 3, 18, 18 * 480],
    );
    assert.deepEqual([totals.premium_25_minutes, totals.premium_50_minutes, totals.flexible], [360, 0, null]);
  });

  test('is ordered by code, pages by the ID of the member, and leaves out who is not employed', async () => {
    const owner = await newWorkplace(app);
    const c = await owner.person({ employee_code: 'C' });
    const a = await owner.person({ employee_code: 'A' });
    await owner.person({ employee_code: 'B', left_on: '2026-09-30' });
    await owner.person({ employee_code: 'D', hired_on: '2026-12-01' });
    const first = await owner.done('GET', '/reports/monthly?month=2026-11&limit=1&cursor_mode=true');
    assert.deepEqual(
      first.data.map(({ id }: { id: string }) => id),
      [a.id],
    );
    const rest = await owner.done('GET', `/reports/monthly?month=2026-11&starting_after=${a.id}`);
    assert.deepEqual(
      rest.data.map(({ id }: { id: string }) => id),
      [c.id, owner.member_id],
    );
  });

  test('shows owners all, managers their team, others themselves', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    const member = await owner.colleague('member');
    const { id: department_id } = await owner.department({ manager_member_id: manager.member_id });
    const { id } = await owner.person({ department_id });
    const seen = async (who: Workplace, path: string) =>
      (await who.done('GET', path)).items.map((one: { id: string }) => one.id).sort();
    for (const path of ['/reports/monthly', '/limits']) {
      assert.deepEqual(
        await seen(owner, path),
        [owner.member_id, manager.member_id, member.member_id, id].sort(),
      );
      assert.deepEqual(await seen(manager, path), [manager.member_id, id].sort());
      assert.deepEqual(await seen(member, path), [member.member_id]);
      assert.deepEqual(await seen(member, `${path}?member_id=${id}`), []);
      assert.deepEqual(await seen(owner, `${path}?department_id=${department_id}`), [id]);
    }
  });

  test('422 for a month that there is not, at its parameter', async () => {
    const owner = await newWorkplace(app);
    for (const path of ['/reports/monthly', '/limits']) {
      const { status, body } = await owner.get(`/attendance${path}?month=2026-13`);
      assert.deepEqual([status, body.errors[0].path], [422, 'month']);
    }
  });
});

describe('GET /reports/my-monthly', () => {
  test('has every day of the period, which add up to the totals; with explain its minutes too', async () => {
    const owner = await newWorkplace(app);
    await owner.done('PATCH', '/settings', { closing_day: 20, effective_from: '2026-09-01' });
    const member = await owner.colleague('member');
    for (const date of ['2026-09-24', '2026-10-02', '2026-10-20'])
      await work(owner, member.member_id, date, 9);
    const path = '/reports/my-monthly?month=2026-10';
    const { report } = await member.done('GET', path);
    assert.deepEqual(
      [report.period_start, report.period_end, report.days.length, report.days[0].work_date],
      ['2026-09-21', '2026-10-20', 30, '2026-09-21'],
    );
    const kept = await sums(owner, member.member_id, '2026-09-21', '2026-10-20');
    assert.deepEqual(
      [report.totals.worked_minutes, report.totals.attended_days, report.totals.statutory_overtime_minutes],
      [kept['worked_minutes'], 3, kept['statutory_overtime_minutes']],
    );
    const absent = report.days.filter(({ alerts }: { alerts: string[] }) => alerts.includes('no_record'));
    assert.equal(report.totals.absence_days, absent.length);
    assert.equal(report.days[3].segments, undefined);
    const explained = (await owner.done('GET', `${path}&member_id=${member.member_id}&explain=true`)).report;
    const minutes = (day: { segments: { start_at: string; end_at: string; class: string }[] }) =>
      day.segments
        .filter((one) => one.class !== 'break')
        .reduce((sum, one) => sum + (Date.parse(one.end_at) - Date.parse(one.start_at)) / 60_000, 0);
    for (const day of explained.days) assert.equal(minutes(day), day.worked_minutes, day.work_date);
    const { segments, ...day } = explained.days[3];
    assert.deepEqual(day, report.days[3]);
  });

  test('is 404 for a member whom one does not see', async () => {
    const owner = await newWorkplace(app);
    const member = await owner.colleague('member');
    const { status } = await member.get(`/attendance/reports/my-monthly?member_id=${owner.member_id}`);
    assert.equal(status, 404);
  });
});

describe('GET /limits', () => {
  test('goes on at the pace of the workdays: 600 minutes after 8 of 20 workdays become 1500', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    await owner.done('POST', '/settings/holidays', {
      date: '2026-11-23',
      name: '営業日',
      counts_as: 'workday',
    });
    // 2 to 12 November without the 3rd: 8 workdays of 20.
    for (const date of ['2026-11-02', '2026-11-04', '2026-11-05', '2026-11-06', '2026-11-09']) {
      await work(owner, id, date, 10);
    }
    await work(owner, id, '2026-11-13', 10);
    const limitsOn = async (as_of: string) =>
      (await owner.done('GET', `/limits?month=2026-11&member_id=${id}&as_of=${as_of}`)).items[0].limits;
    const half = await limitsOn('2026-11-12');
    assert.deepEqual([half.year_overtime_minutes, half.projected_month_end_minutes], [600, 1_500]);
    assert.deepEqual([half.level, half.minutes_left], ['ok', 2_100]);
    const before = await limitsOn('2026-10-31');
    assert.deepEqual([before.year_overtime_minutes, before.projected_month_end_minutes], [0, 0]);
    const later = await limitsOn('2026-11-30');
    assert.deepEqual([later.year_overtime_minutes, later.projected_month_end_minutes], [720, 720]);
  });

  test('counts opening months as recorded ones, averages across years, and finds members by level', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    await owner.person();
    await owner.done('PATCH', '/settings', {
      agreements: [{ effective_from: '2026-01-01', year_start_month: 10, special_clause: true }],
    });
    const items = [
      { month: '2026-08', statutory_overtime_minutes: 4_900, legal_holiday_minutes: 0 },
      { month: '2026-09', statutory_overtime_minutes: 4_000, legal_holiday_minutes: 901 },
      { month: '2026-10', statutory_overtime_minutes: 4_801, legal_holiday_minutes: 0 },
    ];
    await owner.done('PUT', `/members/${id}/opening-months`, { items });
    await work(owner, id, '2026-11-02', 10);
    const found = await owner.done('GET', '/limits?month=2026-10&level=violation,warning');
    assert.deepEqual(
      found.items.map((one: { id: string }) => one.id),
      [id],
    );
    const october = found.items[0].limits;
    assert.deepEqual(october.averages, { '2': 4_851, '3': 4_868 });
    assert.deepEqual([october.average_violations, october.year_overtime_minutes], [['2', '3'], 4_801]);
    const november = (await owner.done('GET', `/limits?member_id=${id}`)).items[0].limits;
    assert.deepEqual(november.averages, { '2': 2_461, '3': 3_274, '4': 3_681 });
    assert.deepEqual([november.year_overtime_minutes, november.months_over_45h], [4_921, 1]);
  });

  test('has none for exempt people', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    await owner.done('POST', `/members/${id}/terms`, {
      effective_from: '2026-01-01',
      work_system: 'exempt',
    });
    const { items } = await owner.done('GET', `/limits?member_id=${id}`);
    assert.equal(items[0].limits, null);
    assert.deepEqual((await owner.done('GET', `/limits?level=ok&member_id=${id}`)).items, []);
  });

  test('measures each month by the agreement that it has', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    await owner.done('PATCH', '/settings', {
      agreements: [{ effective_from: '2026-10-15', month_limit_minutes: 60 }],
    });
    for (const date of ['2026-10-20', '2026-11-20']) await work(owner, id, date, 10);
    const over = async (month: string) =>
      (await owner.done('GET', `/limits?month=${month}&member_id=${id}`)).items[0].limits.over_45h;
    assert.deepEqual([await over('2026-10'), await over('2026-11')], [false, true]);
  });
});

describe('opening months', () => {
  const item = (month: string, minutes = 60) => ({
    month,
    statutory_overtime_minutes: minutes,
    legal_holiday_minutes: 0,
  });

  test('are replaced whole; a month with records is 409, one to come 422', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    const path = `/members/${id}/opening-months`;
    assert.deepEqual(await owner.done('GET', path), { items: [] });
    const items = [item('2026-07'), item('2026-08')];
    assert.deepEqual(await owner.done('PUT', path, { items: items.toReversed() }), { items });
    assert.deepEqual(await owner.done('GET', path), { items });
    await work(owner, id, '2026-08-03', 8);
    assert.deepEqual(await owner.done('PUT', path, { items: items.slice(1) }), { items: items.slice(1) });
    const refused = await owner.send('PUT', `/attendance${path}`, { items: [item('2026-08', 61)] });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.months],
      [409, 'already_recorded', ['2026-08']],
    );
    const ahead = await owner.send('PUT', `/attendance${path}`, {
      items: [item('2026-06'), item('2026-12')],
    });
    assert.deepEqual([ahead.status, ahead.body.errors[0].path], [422, '/items/1/month']);
    const twice = await owner.send('PUT', `/attendance${path}`, {
      items: [item('2026-06'), item('2026-06')],
    });
    assert.deepEqual([twice.status, twice.body.errors[0].path], [422, '/items/1/month']);
  });

  test('do not count beside records of their month: no minute counts twice', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    const items = [item('2026-10', 600), item('2026-11', 300)];
    await owner.done('PUT', `/members/${id}/opening-months`, { items });
    const year = async () =>
      (await owner.done('GET', `/limits?member_id=${id}`)).items[0].limits.year_overtime_minutes;
    assert.equal(await year(), 900);
    await work(owner, id, '2026-11-20', 10);
    assert.equal(await year(), 720);
    await work(owner, id, '2026-10-20', 9);
    assert.equal(await year(), 180);
    await owner.done('PUT', `/records/${id}/2026-10-20`, { sessions: [] });
    assert.equal(await year(), 720);
    assert.deepEqual(await owner.done('GET', `/members/${id}/opening-months`), { items });
  });

  test('are written by owners and admins, and read by who sees the member', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    const path = (id: string) => `/attendance/members/${id}/opening-months`;
    const own = await manager.send('PUT', path(manager.member_id), { items: [] });
    assert.deepEqual([own.status, own.body.code], [403, 'role_required']);
    assert.equal((await manager.get(path(manager.member_id))).status, 200);
    assert.equal((await manager.get(path(owner.member_id))).status, 404);
  });
});
