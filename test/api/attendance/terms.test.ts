import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';
import { faultsIn } from '../../support/facts.ts';

const NOW = new Date('2026-11-24T03:00:00Z');
const app = await startApp({ now: () => NOW });

describe('terms', () => {
  test('hold from their day on; those of the same day are replaced, and what is taken back leaves those before', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    const path = `/members/${id}/terms`;
    const present = async () => (await owner.get(`/attendance/members/${id}`)).body.member.terms;
    const first = await owner.done('POST', path, {
      effective_from: '2026-04-01',
      weekly_days: 3,
      weekly_hours: 22.5,
    });
    assert.deepEqual([first.job, first.terms.work_system, first.terms.weekly_hours], [null, 'fixed', 22.5]);
    const replacing = await owner.done('POST', path, {
      effective_from: '2026-04-01',
      weekly_days: 4,
      weekly_hours: 30,
    });
    await owner.done('POST', path, { effective_from: '2027-04-01', work_system: 'flexible' });
    assert.deepEqual([(await present()).id, (await present()).weekly_days], [replacing.terms.id, 4]);
    const listed = (await owner.get(`/attendance${path}?sort=effective_from:asc`)).body.items;
    assert.deepEqual(
      listed.map((row: Record<string, unknown>) => [row.effective_from, row.weekly_days]),
      [
        ['2026-04-01', 4],
        ['2027-04-01', 5],
      ],
    );
    assert.deepEqual(await owner.done('DELETE', `${path}/${replacing.terms.id}`), {
      success: true,
      job: null,
    });
    assert.deepEqual([(await present()).id, (await present()).weekly_days], [null, 5]);
    assert.equal((await owner.delete(`/attendance${path}/${first.terms.id}`)).status, 404);
  });

  test('of two that give terms of one day at the same time one stays', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    const give = (weekly_days: number) =>
      owner.post(`/attendance/members/${id}/terms`, { effective_from: '2026-04-01', weekly_days });
    const answers = await Promise.all([give(3), give(4)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    assert.equal((await owner.get(`/attendance/members/${id}/terms`)).body.total, 1);
  });

  test('are read by whom they are for and their manager, and given by owners and admins', async () => {
    const owner = await newWorkplace(app);
    const [manager, member] = [await owner.colleague('manager'), await owner.colleague('member')];
    const department = await owner.department({ manager_member_id: manager.member_id });
    await owner.done('PATCH', `/members/${member.member_id}`, { department_id: department.id });
    const other = await owner.person();
    for (const client of [manager, member]) {
      assert.equal((await client.get(`/attendance/members/${member.member_id}/terms`)).status, 200);
      assert.equal((await client.get(`/attendance/members/${other.id}/terms`)).status, 404);
      const refused = await client.post(`/attendance/members/${member.member_id}/terms`, {
        effective_from: '2026-04-01',
      });
      assert.deepEqual([refused.status, refused.body.code], [403, 'role_required']);
    }
  });

  test('422 at its place', async () => {
    const [owner, stranger] = [await newWorkplace(app), await newWorkplace(app)];
    const { id } = await owner.person();
    const { schedule: foreign } = await stranger.done('POST', '/schedules', {
      name: 'x',
      start: '09:00',
      end: '17:00',
    });
    const { schedule: long } = await owner.done('POST', '/schedules', {
      name: '長',
      start: '09:00',
      end: '21:00',
    });
    for (const [body, fault] of [
      [{}, '/effective_from required'],
      [{ effective_from: '2026-04-01', weekly_days: 8 }, '/weekly_days too_large'],
      [{ effective_from: '2026-04-01', weekly_hours: 169 }, '/weekly_hours invalid_value'],
      [{ effective_from: '2026-04-01', weekly_hours: 22.125 }, '/weekly_hours invalid_value'],
      [{ effective_from: '2026-04-01', schedule_id: foreign.id }, '/schedule_id unknown_reference'],
      [{ effective_from: '2026-04-01', schedule_id: long.id }, '/schedule_id over_statutory_day'],
    ] as const) {
      const reply = await owner.post(`/attendance/members/${id}/terms`, body);
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [fault]]);
    }
    const allowed = await owner.post(`/attendance/members/${id}/terms`, {
      effective_from: '2026-04-01',
      schedule_id: long.id,
      work_system: 'variable_monthly',
    });
    assert.equal(allowed.status, 201, allowed.text);
  });
});

describe('schedules', () => {
  test('have one default, also of two that become it at the same time', async () => {
    const owner = await newWorkplace(app);
    const made = await Promise.all(
      [1, 2].map((n) => owner.done('POST', '/schedules', { name: `勤務${n}`, start: '08:00', end: '16:00' })),
    );
    await Promise.all(
      made.map(({ schedule }) => owner.done('PATCH', `/schedules/${schedule.id}`, { is_default: true })),
    );
    const { items } = (await owner.get('/attendance/schedules')).body;
    assert.equal(items.length, 3);
    const [only, ...others] = items.filter(({ is_default }: { is_default: boolean }) => is_default);
    assert.deepEqual(others, []);
    const given = await owner.patch(`/attendance/schedules/${only.id}`, { is_default: false });
    assert.deepEqual([given.status, faultsIn(given.body)], [422, ['/is_default default_needed']]);
    const deleted = await owner.delete(`/attendance/schedules/${only.id}`);
    assert.deepEqual([deleted.status, deleted.body.code], [409, 'in_use']);
  });

  test('follow a change of their times, but for what was said', async () => {
    const owner = await newWorkplace(app);
    const { schedule } = await owner.done('POST', '/schedules', {
      name: '標準2',
      start: '09:00',
      end: '18:00',
      breaks: [{ start: '12:00', end: '13:00' }],
    });
    assert.deepEqual([schedule.minutes, schedule.half_day], [480, { am_end: '12:00', pm_start: '13:00' }]);
    const change = async (body: object) =>
      (await owner.done('PATCH', `/schedules/${schedule.id}`, body)).schedule;
    assert.equal((await change({ end: '17:00' })).minutes, 420);
    assert.equal((await change({ minutes: 400 })).minutes, 400);
    assert.equal((await change({ start: '08:00' })).minutes, 400);
    assert.equal((await change({ minutes: null })).minutes, 480);
    const beyond = await owner.patch(`/attendance/schedules/${schedule.id}`, { minutes: 481 });
    assert.deepEqual([beyond.status, faultsIn(beyond.body)], [422, ['/minutes too_large']]);
  });

  test('of more than 480 minutes are for variable hours alone', async () => {
    const owner = await newWorkplace(app);
    const long = { name: '長日', start: '09:00', end: '21:00', breaks: [{ start: '12:00', end: '13:00' }] };
    const asDefault = await owner.post('/attendance/schedules', { ...long, is_default: true });
    assert.deepEqual([asDefault.status, faultsIn(asDefault.body)], [422, ['/minutes over_statutory_day']]);
    const { schedule } = await owner.done('POST', '/schedules', { ...long, minutes: 480 });
    const { id } = await owner.person();
    await owner.done('POST', `/members/${id}/terms`, {
      effective_from: '2026-04-01',
      schedule_id: schedule.id,
    });
    const longer = await owner.patch(`/attendance/schedules/${schedule.id}`, { minutes: 600 });
    assert.deepEqual([longer.status, faultsIn(longer.body)], [422, ['/minutes over_statutory_day']]);
    const used = await owner.delete(`/attendance/schedules/${schedule.id}`);
    assert.deepEqual([used.status, used.body.code], [409, 'in_use']);
  });
});

describe('the roster', () => {
  const entry = (member_id: string, date: string, day_type: string | null, more = {}) => ({
    member_id,
    date,
    day_type,
    ...more,
  });

  test('is written all or none, changed, and taken out', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    const written = await owner.done('PUT', '/roster', {
      items: [entry(id, '2026-12-01', 'workday'), entry(id, '2026-12-02', 'legal_holiday')],
    });
    assert.deepEqual([written.job, written.items.length], [null, 2]);
    const changed = await owner.done('PUT', '/roster', {
      items: [
        entry(id, '2026-12-01', 'prescribed_holiday'),
        entry(id, '2026-12-02', null),
        entry(id, '2026-12-09', null),
      ],
    });
    assert.deepEqual(
      changed.items.map((day: Record<string, unknown>) => [day.id, day.date, day.day_type]),
      [[written.items[0].id, '2026-12-01', 'prescribed_holiday']],
    );
    const { items } = (await owner.get('/attendance/roster?from=2026-12-01&to=2026-12-31')).body;
    assert.deepEqual(items.length, 1);
    const none = await owner.put('/attendance/roster', {
      items: [
        entry(id, '2026-12-03', 'workday'),
        entry('mem_01kaj2n5w5fq8b4m0g3v7x9rtc', '2026-12-03', 'workday'),
      ],
    });
    assert.deepEqual([none.status, faultsIn(none.body)], [422, ['/items/1/member_id unknown_reference']]);
    assert.equal((await owner.get('/attendance/roster')).body.total, 1);
    const twice = await owner.put('/attendance/roster', {
      items: [entry(id, '2026-12-03', 'workday'), entry(id, '2026-12-03', null)],
    });
    assert.deepEqual(faultsIn(twice.body), ['/items/1/date duplicate']);
  });

  test('is written by managers for their team, and by no member', async () => {
    const owner = await newWorkplace(app);
    const [manager, member] = [await owner.colleague('manager'), await owner.colleague('member')];
    const department = await owner.department({ manager_member_id: manager.member_id });
    const [inside, outside] = [await owner.person({ department_id: department.id }), await owner.person()];
    const write = (client: typeof owner, id: string) =>
      client.put('/attendance/roster', { items: [entry(id, '2026-12-01', 'workday')] });
    assert.equal((await write(manager, inside.id)).status, 200);
    const unseen = await write(manager, outside.id);
    assert.deepEqual([unseen.status, unseen.body.code], [422, 'unknown_reference']);
    const own = await write(member, member.member_id);
    assert.deepEqual([own.status, own.body.code], [403, 'role_required']);
    await write(owner, outside.id);
    assert.equal((await manager.get('/attendance/roster')).body.total, 1);
    assert.equal((await member.get('/attendance/roster')).body.total, 0);
    assert.equal((await owner.get(`/attendance/roster?department_id=${department.id}`)).body.total, 1);
  });

  test('takes long schedules for variable hours alone', async () => {
    const owner = await newWorkplace(app);
    const [fixed, variable] = [await owner.person(), await owner.person()];
    const { schedule } = await owner.done('POST', '/schedules', { name: '長', start: '09:00', end: '21:00' });
    await owner.done('POST', `/members/${variable.id}/terms`, {
      effective_from: '2026-12-01',
      work_system: 'variable_monthly',
    });
    const items = [variable, fixed].map(({ id }) =>
      entry(id, '2026-12-01', 'workday', { schedule_id: schedule.id }),
    );
    const refused = await owner.put('/attendance/roster', { items });
    assert.deepEqual(
      [refused.status, faultsIn(refused.body)],
      [422, ['/items/1/schedule_id over_statutory_day']],
    );
    assert.equal((await owner.put('/attendance/roster', { items: items.slice(0, 1) })).status, 200);
    assert.equal((await owner.delete(`/attendance/schedules/${schedule.id}`)).status, 409);
  });

  test('of two who write one day at the same time both succeed, and one day is there', async () => {
    const owner = await newWorkplace(app);
    const { id } = await owner.person();
    const answers = await Promise.all(
      ['workday', 'legal_holiday'].map((type) =>
        owner.put('/attendance/roster', { items: [entry(id, '2026-12-01', type)] }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal((await owner.get('/attendance/roster')).body.total, 1);
  });

  test('422 backwards and beyond a year', async () => {
    const owner = await newWorkplace(app);
    for (const [query, fault] of [
      ['from=2026-12-02&to=2026-12-01', 'from after_end'],
      ['from=2026-01-01&to=2027-01-02', 'to too_long'],
    ] as const) {
      const reply = await owner.get(`/attendance/roster?${query}`);
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [fault]]);
    }
    assert.equal((await owner.get('/attendance/roster?from=2026-01-01&to=2027-01-01')).status, 200);
  });
});
