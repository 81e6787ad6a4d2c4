import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, session, type Workplace } from '../../support/attendance.ts';
import { toldBy } from '../../support/facts.ts';
import { lettersAbout } from '../../support/letters.ts';

/** A Tuesday, 21:00 in Japan. */
const app = await startApp({ now: () => new Date('2026-11-24T12:00:00.000Z') });

const OVERTIME = '/attendance/overtime-requests';
const DAY = '2026-11-20';

/** 18:00 to 20:00 in Japan of a date. */
const evening = (work_date = DAY) => ({
  work_date,
  kind: 'after',
  planned_start_at: `${work_date}T09:00:00.000Z`,
  planned_end_at: `${work_date}T11:00:00.000Z`,
  reason: '月次決算のため',
});

/** An organization with a manager and one of the team. */
async function office() {
  const owner = await newWorkplace(app);
  const manager = await owner.colleague('manager');
  const member = await owner.colleague();
  const { id } = await owner.department({ manager_member_id: manager.member_id });
  await owner.done('PATCH', `/members/${member.member_id}`, { department_id: id });
  return { owner, manager, member };
}

async function file(by: Workplace, body: object) {
  return (await by.done('POST', '/overtime-requests', body)).overtime_request;
}

/** Records 9:00 to a time of the evening in UTC, with an hour of break. */
async function work(by: Workplace, { member_id }: Workplace, to: string, from = '00:00') {
  const sessions = [session(DAY, from, to, [['03:00', '04:00']])];
  return (await by.done('PUT', `/records/${member_id}/${DAY}`, { sessions })).record;
}

describe('POST /overtime-requests', () => {
  test('201 plans minutes to come, and shows what they would do to the limits', async () => {
    const { owner, member, manager } = await office();
    await work(owner, member, '12:00');
    const request = await file(member, evening('2026-11-26'));
    assert.deepEqual(
      [request.kind, request.planned_minutes, request.actual_minutes, request.status],
      ['after', 120, 0, 'pending'],
    );
    // 180 minutes are recorded on the 20th.
    const { limit_preview } = request;
    assert.deepEqual(
      [limit_preview.month_total_minutes, limit_preview.year_overtime_minutes, limit_preview.level],
      [300, 300, 'ok'],
    );
    assert.deepEqual(limit_preview.tests[0], {
      test: 'month',
      used_minutes: 300,
      limit_minutes: 2_700,
      left_minutes: 2_400,
    });
    const read = (await member.get(`${OVERTIME}/${request.id}`)).body.overtime_request;
    assert.deepEqual(read, request);
    const { items } = await manager.done('GET', '/overtime-requests?status=pending');
    assert.deepEqual(
      items.map(({ id, available_actions }: { id: string; available_actions: string[] }) => [
        id,
        available_actions,
      ]),
      [[request.id, ['approve', 'reject']]],
    );
  });

  test('a plan on a Sunday counts as a legal holiday, and one to midnight goes over into it', async () => {
    const { member } = await office();
    const sunday = await file(member, { ...evening('2026-11-29'), kind: 'holiday' });
    assert.deepEqual(
      [sunday.limit_preview.month_total_minutes, sunday.limit_preview.year_overtime_minutes],
      [120, 0],
    );
    const night = await file(member, {
      ...evening('2026-11-28'),
      planned_start_at: '2026-11-28T13:00:00.000Z',
      planned_end_at: '2026-11-28T16:30:00.000Z',
    });
    assert.deepEqual(
      [night.limit_preview.month_total_minutes, night.limit_preview.year_overtime_minutes],
      [210, 120],
    );
  });

  test('what was worked already counts once; exempt people have no limits', async () => {
    const { owner, member } = await office();
    await work(owner, member, '10:30');
    const late = await file(member, evening());
    assert.deepEqual([late.actual_minutes, late.limit_preview.month_total_minutes], [90, 120]);
    await owner.done('POST', `/members/${member.member_id}/terms`, {
      effective_from: '2026-04-01',
      work_system: 'exempt',
    });
    assert.equal((await file(member, evening('2026-11-27'))).limit_preview, null);
  });

  test('422 for times that run backwards, are too long, or far from the work date', async () => {
    const { member } = await office();
    const faultOf = async (body: object) => {
      const { status, body: answer } = await member.post(OVERTIME, { ...evening(), ...body });
      return [status, answer.errors?.[0]?.path, answer.errors?.[0]?.code];
    };
    const backwards = { planned_end_at: `${DAY}T09:00:59.000Z` };
    assert.deepEqual(await faultOf(backwards), [422, '/planned_end_at', 'too_small']);
    const long = { planned_end_at: '2026-11-21T09:01:00.000Z' };
    assert.deepEqual(await faultOf(long), [422, '/planned_end_at', 'too_large']);
    assert.deepEqual(await faultOf({ work_date: '2026-11-22' }), [
      422,
      '/planned_start_at',
      'far_from_work_date',
    ]);
    const local = { planned_start_at: '2026-11-20T18:00:00' };
    assert.deepEqual((await faultOf(local)).slice(0, 2), [422, '/planned_start_at']);
    assert.deepEqual(await faultOf({ kind: 'during' }), [422, '/kind', 'invalid_value']);
    assert.deepEqual(await faultOf({ reason: '' }), [422, '/reason', 'required']);
  });
});

describe('approve', () => {
  test('takes the alert from the day, and tells the member and the audit log', async () => {
    const { owner, member, manager } = await office();
    assert.deepEqual((await work(owner, member, '10:30')).alerts, ['overtime_not_approved']);
    const { id } = await file(member, evening());
    const { audit, events } = await toldBy(app, member.organization_id, () =>
      manager.post(`${OVERTIME}/${id}/approve`),
    );
    assert.deepEqual(events, []);
    assert.deepEqual(
      audit.map(({ entity_type, changes }) => [entity_type, Object.keys(changes).sort()]),
      [['overtime_request', ['approver_id', 'decided_at', 'status']]],
    );
    const { record } = await member.done('GET', `/records/${member.member_id}/${DAY}`);
    assert.deepEqual([record.alerts, record.version, record.calc_version], [[], 1, 2]);
    const [letter] = await lettersAbout(app, 'attendance.overtime_decision', id);
    assert.equal(letter!.subject, '残業申請が承認されました');
    assert.match(letter!.paragraphs.join('\n'), /対象日：2026-11-20、18:00から20:00まで/);
    const { overtime_request } = await member.done('GET', `/overtime-requests/${id}`);
    assert.deepEqual(
      [overtime_request.actual_minutes, overtime_request.limit_preview, overtime_request.available_actions],
      [90, null, []],
    );
    // What lies outside of the approved time has the alert again.
    assert.deepEqual((await work(owner, member, '11:01')).alerts, ['overtime_not_approved']);
  });

  test('lets the head of a session count that ignore_unless_approved left out', async () => {
    const { owner, member, manager } = await office();
    await owner.done('PATCH', '/settings', {
      early_clock_in: 'ignore_unless_approved',
      effective_from: '2026-11-01',
    });
    const sessions = [
      {
        ...session(DAY, '00:00', '09:00', [['03:00', '04:00']]),
        clock_in_at: '2026-11-19T23:00:00.000Z',
      },
    ];
    const path = `/records/${member.member_id}/${DAY}`;
    const before = (await owner.done('PUT', path, { sessions })).record;
    assert.deepEqual([before.ignored_minutes, before.worked_minutes], [60, 480]);
    const { id } = await file(member, {
      ...evening(),
      kind: 'before',
      planned_start_at: '2026-11-19T23:30:00.000Z',
      planned_end_at: '2026-11-20T00:00:00.000Z',
    });
    const approved = (await manager.done('POST', `/overtime-requests/${id}/approve`)).overtime_request;
    // The first of the day's minutes are the scheduled ones, the last ones are beyond them.
    assert.equal(approved.actual_minutes, 0);
    const { record } = await member.done('GET', path);
    assert.deepEqual([record.ignored_minutes, record.worked_minutes, record.calc_version], [30, 510, 2]);
  });

  test('two decisions at once: one 200, one 409; approved time is not cancelled', async () => {
    const { owner, member, manager } = await office();
    for (const _ of [1, 2, 3]) {
      const { id } = await file(member, evening());
      const answers = await Promise.all([
        manager.post(`${OVERTIME}/${id}/approve`),
        owner.post(`${OVERTIME}/${id}/approve`),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
      const refused = answers.find(({ status }) => status === 409)!;
      assert.equal(refused.body.code, 'invalid_transition');
      const cancelled = await member.post(`${OVERTIME}/${id}/cancel`);
      assert.deepEqual([cancelled.status, cancelled.body.code], [409, 'invalid_transition']);
    }
  });
});
