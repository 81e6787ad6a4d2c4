import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';

/** A Thursday, 15:00 in Tokyo. */
const NOW = new Date('2026-11-26T06:00:00.000Z');
const app = await startApp({ now: () => NOW });

const put = (owner: Workplace, member_id: string, date: string, clock_out_at: string | null) =>
  owner.done('PUT', `/records/${member_id}/${date}`, {
    sessions: [{ clock_in_at: `${date}T00:00:00.000Z`, clock_out_at, breaks: [] }],
  });

const leaveToday = async (owner: Workplace, member_id: string, fields: object = {}) => {
  const { leave_request } = await owner.done('POST', '/leave-requests', {
    type: 'sick',
    start_date: '2026-11-26',
    end_date: '2026-11-26',
    member_id,
    ...fields,
  });
  return leave_request.id as string;
};

describe('GET /overview', () => {
  test('has the day, the month, the balance, what waits and what is to be corrected', async () => {
    const owner = await newWorkplace(app);
    const member = await owner.colleague('member');
    await owner.done('PATCH', `/members/${member.member_id}`, { hired_on: '2026-11-24' });
    await put(owner, member.member_id, '2026-11-25', null);
    await member.done('POST', '/punches', { type: 'clock_in' });
    const leave_id = await leaveToday(member, member.member_id, {
      start_date: '2026-12-01',
      end_date: '2026-12-02',
    });
    const { overview } = await member.done('GET', '/overview');
    assert.equal(overview.month, '2026-11');
    assert.deepEqual(
      [overview.status.state, overview.status.last_punch.type, overview.record.work_date],
      ['working', 'clock_in', '2026-11-26'],
    );
    assert.deepEqual(overview.days_to_correct, [
      { work_date: '2026-11-24', alerts: ['no_record'] },
      { work_date: '2026-11-25', alerts: ['missing_clock_out'] },
    ]);
    assert.deepEqual(
      overview.open_requests.map(({ id, kind, start_date, end_date }: Record<string, string>) => [
        id,
        kind,
        start_date,
        end_date,
      ]),
      [[leave_id, 'leave_request', '2026-12-01', '2026-12-02']],
    );
    assert.deepEqual([overview.totals.workdays, overview.totals.absence_days], [5, 1]);
    assert.equal(overview.leave_balance.total_remaining_days, 0);
    assert.equal(overview.limits.level, 'ok');
    const earlier = (await member.done('GET', '/overview?month=2026-10')).overview;
    assert.deepEqual([earlier.totals.workdays, earlier.days_to_correct], [0, []]);
  });
});

describe('GET /dashboard', () => {
  test('counts what members do now, each once', async () => {
    const owner = await newWorkplace(app);
    const [works, pauses, left, away, missing, onLeave, gone] = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map(() => owner.person()),
    );
    for (const { id } of [works, pauses, left]) {
      await owner.done('POST', '/punches', {
        type: 'clock_in',
        member_id: id,
        occurred_at: '2026-11-26T00:00:00Z',
      });
    }
    await owner.done('POST', '/punches', { type: 'break_start', member_id: pauses.id });
    await owner.done('POST', '/punches', { type: 'clock_out', member_id: left.id });
    await put(owner, missing.id, '2026-11-24', null);
    const leave = await leaveToday(owner, onLeave.id);
    await owner.done('POST', `/leave-requests/${leave}/approve`);
    await leaveToday(owner, away.id);
    await owner.done('PATCH', `/members/${gone.id}`, { left_on: '2026-11-25' });
    const { dashboard } = await owner.done('GET', '/dashboard');
    assert.deepEqual(
      [
        dashboard.members,
        dashboard.working,
        dashboard.on_break,
        dashboard.not_in,
        dashboard.on_leave,
        dashboard.missing_punches,
      ],
      // Not in: `away` with leave that nobody approved, `missing`, and the owner.
      [7, 1, 1, 3, 1, 1],
    );
    assert.deepEqual(dashboard.pending, { leave_request: 1, correction: 0, overtime_request: 0 });
    assert.deepEqual(dashboard.limits, { ok: 7, warning: 0, violation: 0 });
    assert.deepEqual([dashboard.submissions.month, dashboard.submissions.none], ['2026-10', 8]);
    assert.equal(dashboard.five_day_at_risk, 0);
  });

  test('counts the limits by level, and who must take five days', async () => {
    const owner = await newWorkplace(app);
    const [{ id: over }, { id: near }, { id: exempt }] = await Promise.all(
      [0, 1, 2].map(() => owner.person()),
    );
    const opening = (minutes: number) => ({
      items: [{ month: '2026-10', statutory_overtime_minutes: minutes, legal_holiday_minutes: 0 }],
    });
    await owner.done('PUT', `/members/${over}/opening-months`, opening(21_601));
    await owner.done('PUT', `/members/${near}/opening-months`, opening(17_280));
    await owner.done('POST', `/members/${exempt}/terms`, {
      effective_from: '2026-01-01',
      work_system: 'exempt',
    });
    await owner.done('POST', '/leave-balances', {
      member_id: near,
      type: 'paid_annual',
      days: 10,
      granted_on: '2026-04-01',
    });
    const { dashboard } = await owner.done('GET', '/dashboard');
    assert.deepEqual(dashboard.limits, { ok: 1, warning: 0, violation: 2 });
    assert.equal(dashboard.five_day_at_risk, 1);
    const { items } = await owner.done('GET', '/limits?level=violation');
    assert.deepEqual(items.map(({ id }: { id: string }) => id).sort(), [over, near].sort());
  });

  test('shows managers their team, and is 403 for role member', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    const { id: department_id } = await owner.department({ manager_member_id: manager.member_id });
    const { id } = await owner.person({ department_id });
    await owner.done('POST', '/punches', { type: 'clock_in', member_id: id });
    await owner.done('POST', '/punches', { type: 'clock_in' });
    const counted = async (who: Workplace, query = '') => {
      const { dashboard } = await who.done('GET', `/dashboard${query}`);
      return [dashboard.members, dashboard.working, dashboard.not_in];
    };
    assert.deepEqual(await counted(owner), [3, 2, 1]);
    assert.deepEqual(await counted(manager), [2, 1, 1]);
    assert.deepEqual(await counted(owner, `?department_id=${department_id}`), [1, 1, 0]);
    const member = await owner.colleague('member');
    const { status, body } = await member.get('/attendance/dashboard');
    assert.deepEqual([status, body.code], [403, 'role_required']);
  });
});

describe('GET /members/overview', () => {
  test('finds members by what they do now, by name and department, within sight', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    const { id: department_id } = await owner.department({ manager_member_id: manager.member_id });
    const works = await owner.person({ name: '高橋 一', employee_code: '1', department_id });
    const pauses = await owner.person({ name: '高橋 二', employee_code: '2' });
    const off = await owner.person({ name: '高橋 三', employee_code: '3' });
    for (const { id } of [works, pauses]) {
      await owner.done('POST', '/punches', { type: 'clock_in', member_id: id });
    }
    await owner.done('POST', '/punches', { type: 'break_start', member_id: pauses.id });
    await put(owner, off.id, '2026-11-24', null);
    const found = async (who: Workplace, query: string) =>
      (await who.done('GET', `/members/overview?${query}`)).items.map(
        (one: { id: string; status: { state: string } }) => [one.id, one.status.state],
      );
    assert.deepEqual(await found(owner, 'search=高橋'), [
      [works.id, 'working'],
      [pauses.id, 'on_break'],
      [off.id, 'off_duty'],
    ]);
    assert.deepEqual(await found(owner, 'search=高橋&state=working,on_break'), [
      [works.id, 'working'],
      [pauses.id, 'on_break'],
    ]);
    assert.deepEqual(await found(owner, 'search=高橋&state=off_duty'), [[off.id, 'off_duty']]);
    assert.deepEqual(await found(owner, `department_id=${department_id}`), [[works.id, 'working']]);
    assert.deepEqual(await found(manager, 'search=高橋'), [[works.id, 'working']]);
    assert.deepEqual(await found(manager, 'state=on_break'), []);
    const [item] = (await owner.done('GET', '/members/overview?search=高橋 三')).items;
    assert.deepEqual([item.member.name, item.record.work_date], ['高橋 三', '2026-11-26']);
    assert.deepEqual([item.totals.workdays, item.totals.absence_days], [19, 15]);
  });

  test('adds up the month as GET /reports/monthly does, flexible hours too, beside a session of last month', async () => {
    const owner = await newWorkplace(app);
    const flexible = await owner.person();
    await owner.done('POST', `/members/${flexible.id}/terms`, {
      effective_from: '2026-11-01',
      work_system: 'flexible',
    });
    for (const { id } of [flexible, await owner.person()]) {
      await put(owner, id, '2026-10-30', '2026-10-30T09:00:00.000Z');
      await put(owner, id, '2026-11-24', '2026-11-24T10:00:00.000Z');
    }
    const totals = async (path: string) =>
      (await owner.done('GET', path)).items.map((item: { id: string; totals: object }) => [
        item.id,
        item.totals,
      ]);
    const all = await totals('/members/overview');
    assert.deepEqual(all, await totals('/reports/monthly'));
    const [, own] = all.find(([id]: [string]) => id === flexible.id);
    assert.deepEqual([own.worked_minutes, own.flexible.worked_minutes], [600, 600]);
  });
});

describe('GET /punches/history', () => {
  test('lists days with presence, punches or leave, the latest first, with what was punched', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    await owner.done('POST', '/punches', {
      type: 'clock_in',
      member_id: id,
      occurred_at: '2026-11-25T00:00:00Z',
    });
    await owner.done('POST', '/punches', {
      type: 'clock_out',
      member_id: id,
      occurred_at: '2026-11-25T08:00:00Z',
    });
    await put(owner, id, '2026-11-20', '2026-11-20T08:00:00.000Z');
    await owner.done('POST', `/leave-requests/${await leaveToday(owner, id)}/approve`);
    await owner.done('PUT', `/records/${id}/2026-11-25`, { sessions: [] });
    await put(owner, id, '2026-10-26', '2026-10-26T08:00:00.000Z');
    const daysOf = async (query = '') =>
      (await owner.done('GET', `/punches/history?member_id=${id}${query}`)).items.map(
        (day: { work_date: string; punches: unknown[]; worked_minutes: number }) => [
          day.work_date,
          day.punches.length,
          day.worked_minutes,
        ],
      );
    const days = [
      ['2026-11-26', 0, 0],
      ['2026-11-25', 2, 0],
      ['2026-11-20', 0, 480],
    ];
    assert.deepEqual(await daysOf(), days);
    assert.deepEqual(await daysOf('&from=2026-10-20&to=2026-11-24'), [
      ['2026-11-20', 0, 480],
      ['2026-10-26', 0, 480],
    ]);
    const first = await owner.done('GET', `/punches/history?member_id=${id}&limit=1&cursor_mode=true`);
    const rest = await owner.done(
      'GET',
      `/punches/history?member_id=${id}&starting_after=${first.data[0].id}`,
    );
    assert.deepEqual(
      rest.data.map((day: { work_date: string }) => day.work_date),
      ['2026-11-25', '2026-11-20'],
    );
    const changed = (
      await owner.done('GET', `/punches/history?member_id=${id}&sort=updated_at:desc`)
    ).items.map((one: { updated_at: string }) => one.updated_at);
    assert.equal(changed.length, 3);
    assert.deepEqual(changed, changed.toSorted().toReversed());
    assert.deepEqual(await daysOf('&updated_after=2026-11-27T00:00:00Z'), []);
    const member = await owner.colleague('member');
    assert.deepEqual((await member.done('GET', `/punches/history?member_id=${id}`)).items, []);
  });

  test('422 for dates backwards, and for more than 366 days', async () => {
    const owner = await newWorkplace(app);
    const faultOf = async (query: string) => {
      const { status, body } = await owner.get(`/attendance/punches/history?${query}`);
      return [status, body.errors[0].path];
    };
    assert.deepEqual(await faultOf('from=2026-11-02&to=2026-11-01'), [422, 'from']);
    assert.deepEqual(await faultOf('from=2025-11-01&to=2026-11-02'), [422, 'to']);
  });
});
