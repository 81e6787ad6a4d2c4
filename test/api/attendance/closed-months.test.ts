import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Workplace } from '../../support/attendance.ts';
import {
  confirmedMonth,
  newClosingOffice,
  outcome,
  putDay,
  SUBMISSIONS,
  sessionOn,
  step,
  submitted,
} from '../../support/closing.ts';

/** A Tuesday, 10:00 in Japan. */
const app = await startApp({ now: () => new Date('2026-11-24T01:00:00.000Z') });

const LOCKED = [409, 'month_locked'];

/** The text of some days of a member, as they are answered. */
async function daysText(
  { owner, member }: { owner: Workplace; member: Workplace },
  dates: readonly string[],
) {
  const texts: string[] = [];
  for (const date of dates)
    texts.push((await owner.get(`/attendance/records/${member.member_id}/${date}`)).text);
  return texts;
}

describe('a closed month', () => {
  test('refuses punches, records, requests, rosters, and first and last days', async () => {
    const { owner, member } = await newClosingOffice(app);
    const date = '2026-10-05';
    await putDay(owner, member, date);
    await owner.done('PATCH', `/members/${member.member_id}`, { hired_on: '2026-04-01' });
    await submitted(member, '2026-10');
    const { member_id } = member;
    const punch = { type: 'clock_in', occurred_at: '2026-10-30T00:00:00Z', member_id };
    const item = { member_id, date, day_type: 'legal_holiday' };
    const leave = { type: 'sick', start_date: '2026-10-30', end_date: '2026-11-02' };
    const correction = { work_date: date, sessions: [], reason: '訂正' };
    const opening = { month: '2026-10', statutory_overtime_minutes: 60, legal_holiday_minutes: 0 };
    const refused = [
      await putDay(owner, member, date, []),
      await owner.post('/attendance/punches', punch),
      await member.post('/attendance/leave-requests', leave),
      await member.post('/attendance/corrections', correction),
      await owner.send('PUT', '/attendance/roster', { items: [item] }),
      await owner.send('PUT', `/attendance/members/${member_id}/opening-months`, { items: [opening] }),
      await owner.patch(`/attendance/members/${member_id}`, { hired_on: '2026-10-02' }),
      await owner.patch(`/attendance/members/${member_id}`, { left_on: '2026-10-30' }),
    ];
    assert.deepEqual(refused.map(outcome), Array(refused.length).fill(LOCKED));
    assert.deepEqual(
      [refused[0]!.body.month, refused[0]!.body.work_date, refused[2]!.body.work_date],
      ['2026-10', date, '2026-10-30'],
    );
    const { record } = await owner.done('GET', `/records/${member_id}/${date}`);
    assert.equal(record.locked, true);
    await owner.done('PATCH', `/members/${member_id}`, { hired_on: '2026-05-01', left_on: '2026-12-31' });
    assert.equal((await putDay(owner, member, '2026-11-02')).status, 200);
  });

  test('refuses approved leave to be taken back, and keeps what it took of which grant', async () => {
    const { owner, member } = await newClosingOffice(app);
    const { member_id } = member;
    await owner.done('POST', '/leave-balances', {
      member_id,
      type: 'paid_annual',
      days: 10,
      granted_on: '2026-04-01',
    });
    const asked = { type: 'paid_annual', start_date: '2026-10-30', end_date: '2026-11-02' };
    const { leave_request } = await member.done('POST', '/leave-requests', asked);
    await owner.done('POST', `/leave-requests/${leave_request.id}/approve`);
    assert.equal(leave_request.days, 2);
    await confirmedMonth({ owner, member }, '2026-10');
    assert.deepEqual(
      outcome(await owner.post(`/attendance/leave-requests/${leave_request.id}/cancel`)),
      LOCKED,
    );
    // Neither day is a workday any more: that of the open month returns, that of the closed one stays taken.
    for (const day of ['2026-10-30', '2026-11-02']) {
      await owner.done('POST', '/settings/holidays', {
        date: day,
        name: '創立記念日',
        counts_as: 'prescribed_holiday',
      });
    }
    const { leave_request: after } = await member.done('GET', `/leave-requests/${leave_request.id}`);
    assert.deepEqual([after.days, after.consumed.map(({ days }: { days: number }) => days)], [1, [1]]);
  });

  test('stays as it was to the byte whatever rules change, and follows them once it is reopened', async () => {
    const office = await newClosingOffice(app);
    const { owner, member } = office;
    const dates = ['2026-10-05', '2026-10-06', '2026-10-12', '2026-10-31'];
    await putDay(owner, member, '2026-10-05', [sessionOn('2026-10-05', 0, 12)]);
    const { id } = await confirmedMonth(office, '2026-10');
    const before = await daysText(office, dates);
    const shown = await owner.get(`${SUBMISSIONS}/${id}`);
    await owner.done('PATCH', '/settings', {
      effective_from: '2026-09-01',
      break_mode: 'auto_schedule',
      week_starts_on: 'monday',
      legal_holiday_weekday: 'monday',
      rounding: { unit_minutes: 30, clock_out: 'floor' },
    });
    await owner.done('POST', '/settings/holidays', {
      date: '2026-10-06',
      name: '創立記念日',
      counts_as: 'legal_holiday',
    });
    const { items } = await owner.done('GET', '/schedules');
    await owner.done('PATCH', `/schedules/${items[0].id}`, { start: '10:00', end: '19:00' });
    await owner.done('POST', `/members/${member.member_id}/terms`, {
      effective_from: '2026-10-01',
      work_system: 'discretionary',
      deemed_minutes: 500,
    });
    assert.deepEqual(await daysText(office, dates), before);
    assert.equal((await owner.get(`${SUBMISSIONS}/${id}`)).text, shown.text);
    await step(owner, id, 'reopen', { comment: '訂正' });
    const { record } = await owner.done('GET', `/records/${member.member_id}/2026-10-05`);
    assert.deepEqual([record.locked, record.day_type], [false, 'legal_holiday']);
    assert.notDeepEqual(await daysText(office, dates), before);
  });

  test('keeps the minutes over its border where they were counted: none is lost, none counts twice', async () => {
    const office = await newClosingOffice(app);
    const { owner, member } = office;
    // From 20:00 of Saturday in Japan to 03:00 of Sunday, a legal holiday: three hours count for November.
    await putDay(owner, member, '2026-10-31', [sessionOn('2026-10-31', 11, 18)]);
    const worked = async (date: string) => {
      const { record } = await owner.done('GET', `/records/${member.member_id}/${date}`);
      return record.worked_minutes;
    };
    assert.deepEqual([await worked('2026-10-31'), await worked('2026-11-01')], [240, 180]);
    await confirmedMonth(office, '2026-10');
    await owner.done('PUT', '/roster', {
      items: [{ member_id: member.member_id, date: '2026-11-01', day_type: 'prescribed_holiday' }],
    });
    await putDay(owner, member, '2026-11-01', [sessionOn('2026-11-01', 1, 2)]);
    assert.deepEqual([await worked('2026-10-31'), await worked('2026-11-01')], [240, 240]);
  });

  test('refuses approval of overtime whose minutes would count on one of its days', async () => {
    const office = await newClosingOffice(app);
    const { owner, member } = office;
    const rules = { closing_day: 18, early_clock_in: 'ignore_unless_approved', effective_from: '2026-09-01' };
    await owner.done('PATCH', '/settings', rules);
    // From 22:00 of a Sunday, a legal holiday and the last day of the period, to 18:00 of Monday.
    const monday = '2026-10-19';
    assert.equal((await putDay(owner, member, monday, [sessionOn(monday, -11, 9)])).status, 200);
    await confirmedMonth(office, '2026-10');
    const { overtime_request } = await member.done('POST', '/overtime-requests', {
      work_date: monday,
      kind: 'before',
      planned_start_at: '2026-10-18T22:00:00+09:00',
      planned_end_at: '2026-10-19T09:00:00+09:00',
      reason: '設備の入れ替え',
    });
    const approve = () => owner.post(`/attendance/overtime-requests/${overtime_request.id}/approve`);
    assert.deepEqual(outcome(await approve()), LOCKED);
    const [{ id }] = (await owner.done('GET', `/submissions?member_id=${member.member_id}`)).items;
    await step(owner, id, 'reopen', { comment: '残業の承認' });
    assert.equal((await approve()).status, 200);
  });

  test('is where settings begin: October to the 31st, then a closing day of 20, is 1 to 20 November', async () => {
    const { owner, member } = await newClosingOffice(app);
    await submitted(member, '2026-10');
    const changed = await owner.done('PATCH', '/settings', {
      closing_day: 20,
      break_mode: 'auto_schedule',
      effective_from: '2026-09-15',
    });
    assert.deepEqual([changed.settings.closing_day, changed.settings.effective_from], [20, '2026-11-01']);
    const september = await owner.done('GET', '/settings?as_of=2026-09-20');
    assert.deepEqual(
      [september.settings.closing_day, september.settings.break_mode],
      ['end', 'auto_schedule'],
    );
    const { settings } = await owner.done('PATCH', '/settings', { week_starts_on: 'monday' });
    assert.equal(settings.effective_from, '2026-11-01');
    const other = await owner.colleague();
    const november = await submitted(other, '2026-11');
    assert.deepEqual([november.period_start, november.period_end], ['2026-11-01', '2026-11-20']);
    assert.equal((await submitted(other, '2026-10')).period_end, '2026-10-31');
  });
});

describe('closing beside writes', () => {
  test('of punches at the same time each is in what was closed, or refused: none is lost', async () => {
    const { owner, member } = await newClosingOffice(app);
    await owner.done('PATCH', '/settings', { closing_day: 24, effective_from: '2026-09-01' });
    const { member_id } = member;
    const writes = Array.from({ length: 8 }, (_, index) => `2026-11-${String(index + 2).padStart(2, '0')}`);
    const [closed, ...answers] = await Promise.all([
      member.post(SUBMISSIONS, { month: '2026-11', accept_absences: true }),
      ...writes.map((date) => putDay(owner, member, date)),
    ]);
    assert.equal(closed!.status, 201, closed!.text);
    const taken = answers.filter(({ status }) => status === 200);
    for (const answer of answers.filter(({ status }) => status !== 200))
      assert.deepEqual(outcome(answer), LOCKED);
    assert.equal(closed!.body.submission.totals.worked_minutes, taken.length * 540);
    const punch = { type: 'clock_in', member_id };
    const [second, ...punched] = await Promise.all([
      owner.post(`${SUBMISSIONS}/${closed!.body.submission.id}/confirm`),
      owner.post('/attendance/punches', punch),
      owner.post('/attendance/punches', punch),
    ]);
    assert.equal(second!.status, 200, second!.text);
    assert.deepEqual(punched.map(outcome), [LOCKED, LOCKED]);
  });

  test('of a first punch of the day one of both is refused: the punch, or the month in which somebody works', async () => {
    const { owner } = await newClosingOffice(app);
    await owner.done('PATCH', '/settings', { closing_day: 24, effective_from: '2026-09-01' });
    for (let round = 0; round < 12; round += 1) {
      const member = await owner.colleague();
      const submit = () => member.post(SUBMISSIONS, { month: '2026-11', accept_absences: true });
      const punch = () => member.post('/attendance/punches', { type: 'clock_in' });
      const [closed, punched] =
        round % 2 === 0
          ? await Promise.all([submit(), punch()])
          : (await Promise.all([punch(), submit()])).toReversed();
      if (punched!.status === 201) assert.deepEqual(outcome(closed!), [409, 'submission_blocked']);
      else assert.deepEqual([closed!.status, ...outcome(punched!)], [201, ...LOCKED]);
    }
  });
});
