import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';
import { toldSoFar } from '../../support/facts.ts';

let now = new Date('2026-11-24T00:00:00.000Z');
const app = await startApp({ now: () => now });

/** Sets the clock of the service. 2026-11-24 is a Tuesday; 09:00 in Tokyo is midnight in UTC. */
function at(instant: string): void {
  now = new Date(instant);
}

const MORNING = '2026-11-24T00:00:00.000Z';

/** Somebody who is in that state since the morning; two minutes have passed since the last punch. */
async function standing(state: string): Promise<Workplace> {
  const owner = await newWorkplace(app);
  at(MORNING);
  if (state !== 'off_duty') await owner.done('POST', '/punches', { type: 'clock_in' });
  at('2026-11-24T00:02:00.000Z');
  if (state === 'on_break') await owner.done('POST', '/punches', { type: 'break_start' });
  at(state === 'expired' ? '2026-11-25T00:00:01.000Z' : '2026-11-24T00:04:00.000Z');
  return owner;
}

/** Every cell of the table: where a punch leads, or the code with which it is refused. */
const TABLE: Record<string, Record<string, string>> = {
  off_duty: {
    clock_in: 'working',
    break_start: 'not_clocked_in',
    break_end: 'not_on_break',
    clock_out: 'not_clocked_in',
  },
  working: {
    clock_in: 'already_clocked_in',
    break_start: 'on_break',
    break_end: 'not_on_break',
    clock_out: 'off_duty',
  },
  on_break: {
    clock_in: 'already_clocked_in',
    break_start: 'already_on_break',
    break_end: 'working',
    clock_out: 'off_duty',
  },
  expired: {
    clock_in: 'working',
    break_start: 'session_expired',
    break_end: 'session_expired',
    clock_out: 'session_expired',
  },
};

const STATES = ['off_duty', 'working', 'on_break'];

describe('the state table', () => {
  for (const [state, row] of Object.entries(TABLE)) {
    for (const [type, leads] of Object.entries(row)) {
      test(`${type} of somebody ${state}: ${leads}`, async () => {
        const owner = await standing(state);
        const reply = await owner.post('/attendance/punches', { type });
        if (STATES.includes(leads)) {
          assert.equal(reply.status, 201, reply.text);
          assert.equal(reply.body.status.state, leads);
          const { status } = (await owner.get('/attendance/punches/status')).body;
          assert.deepEqual(status, reply.body.status);
          return;
        }
        assert.deepEqual([reply.status, reply.body.code], [409, leads], reply.text);
        const { current_status, allowed, elapsed_minutes } = reply.body;
        const { status } = (await owner.get('/attendance/punches/status')).body;
        assert.deepEqual([current_status, allowed], [status.state, status.allowed_types]);
        assert.equal(elapsed_minutes, { off_duty: null, working: 4, on_break: 4, expired: 1440 }[state]);
      });
    }
  }

  test('a session is expired when it is over the most hours, not at it; the old day keeps missing_clock_out', async () => {
    const owner = await standing('working');
    at('2026-11-25T00:00:00.000Z');
    assert.equal((await owner.get('/attendance/punches/status')).body.status.state, 'working');
    at('2026-11-25T00:00:00.001Z');
    const { status } = (await owner.get('/attendance/punches/status')).body;
    assert.deepEqual([status.state, status.session_started_at], ['off_duty', null]);
    await owner.done('POST', '/punches', { type: 'clock_in' });
    const { record } = await owner.done('GET', `/records/${owner.member_id}/2026-11-24`);
    assert.deepEqual([record.alerts.includes('missing_clock_out'), record.worked_minutes], [true, 0]);
  });

  test('a clock_out during a break ends it at that minute, by a punch of the system', async () => {
    const owner = await standing('on_break');
    const { punch, record } = await owner.done('POST', '/punches', { type: 'clock_out' });
    assert.ok(record.alerts.includes('break_closed_by_clock_out'));
    const { punches } = (await owner.done('GET', `/records/${owner.member_id}/2026-11-24`)).record;
    const ended = punches.find(({ type }: { type: string }) => type === 'break_end');
    assert.deepEqual([ended.source, ended.occurred_at, ended.ip], ['system', punch.occurred_at, null]);
  });
});

describe('a day', () => {
  test('from clock_in to clock_out, with figures, events and audit entries', async () => {
    const owner = await newWorkplace(app);
    const punch = async (instant: string, type: string) => {
      at(instant);
      return owner.done('POST', '/punches', { type });
    };
    const first = await punch(MORNING, 'clock_in');
    assert.deepEqual(
      [first.punch.work_date, first.punch.source, first.record.version],
      ['2026-11-24', 'api', 1],
    );
    await punch('2026-11-24T03:00:00.000Z', 'break_start');
    await punch('2026-11-24T04:00:00.000Z', 'break_end');
    const { record } = await punch('2026-11-24T10:30:00.000Z', 'clock_out');
    assert.deepEqual(
      [record.worked_minutes, record.scheduled_minutes, record.statutory_overtime_minutes, record.version],
      [570, 480, 90, 4],
    );
    const told = (await toldSoFar(app, owner.organization_id)).events.filter(({ type }) =>
      type.startsWith('attendance.record'),
    );
    assert.deepEqual(
      told.map(({ type }) => type),
      ['attendance.record.clocked_in', 'attendance.record.clocked_out'],
    );
    const { punch: carried, ...carriedRecord } = told[1]!.data as Record<string, object>;
    assert.deepEqual(carriedRecord, record);
    assert.deepEqual(
      ['ip' in carried!, 'location' in carried!, 'occurred_at' in carried!],
      [false, false, true],
    );
    const entries = (await toldSoFar(app, owner.organization_id)).audit.filter(
      ({ entity_type }) => entity_type === 'punch',
    );
    assert.equal(entries.length, 4);
  });

  test('a clock_in belongs to the work date that is given, that of its window, or the day before the boundary', async () => {
    const dateOf = async (instant: string, more: object = {}) => {
      const owner = await newWorkplace(app);
      at(instant);
      return (await owner.done('POST', '/punches', { type: 'clock_in', ...more })).punch.work_date;
    };
    assert.equal(await dateOf('2026-11-23T18:30:00.000Z'), '2026-11-23');
    assert.equal(await dateOf('2026-11-23T21:00:00.000Z'), '2026-11-24');
    assert.equal(await dateOf('2026-11-24T03:00:00.000Z', { work_date: '2026-11-23' }), '2026-11-23');
    assert.equal(await dateOf('2026-11-24T03:00:00.000Z', { work_date: '2026-11-25' }), '2026-11-25');
  });
});

describe('repeated punches', () => {
  test('50 clock-ins of a member at once: one begins the session, the others repeat it', async () => {
    const owner = await newWorkplace(app);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => owner.post('/attendance/punches', { type: 'clock_in' })),
    );
    const statuses = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([statuses.get(201)?.length, statuses.get(200)?.length], [1, 49]);
    assert.equal(new Set(answers.map(({ body }) => body.punch.id)).size, 1);
    const told = (await toldSoFar(app, owner.organization_id)).events.filter(
      ({ type }) => type === 'attendance.record.clocked_in',
    );
    assert.equal(told.length, 1);
  });

  test('repeat within the window, both ends of it, and no longer when a revision removed the session', async () => {
    const owner = await newWorkplace(app);
    at(MORNING);
    await owner.done('POST', '/punches', { type: 'clock_in' });
    at('2026-11-24T00:01:00.000Z');
    const again = await owner.post('/attendance/punches', { type: 'clock_in' });
    assert.deepEqual([again.status, again.body.punch.duplicate], [200, true]);
    at('2026-11-24T00:01:00.001Z');
    assert.equal((await owner.post('/attendance/punches', { type: 'clock_in' })).status, 409);
    at('2026-11-24T00:00:30.000Z');
    await owner.done('PUT', `/records/${owner.member_id}/2026-11-24`, { sessions: [] });
    assert.equal((await owner.post('/attendance/punches', { type: 'clock_in' })).status, 201);
  });
});

describe('the time of a punch', () => {
  test('is given by managers for their team, by owners for all; 403 for members', async () => {
    const owner = await newWorkplace(app);
    const [manager, member] = [await owner.colleague('manager'), await owner.colleague('member')];
    const department = await owner.department({ manager_member_id: manager.member_id });
    await owner.done('PATCH', `/members/${member.member_id}`, { department_id: department.id });
    at('2026-11-24T06:00:00.000Z');
    const past = { type: 'clock_in', occurred_at: '2026-11-24T09:00:00+09:00' };
    const own = await member.post('/attendance/punches', past);
    assert.deepEqual([own.status, own.body.code], [403, 'occurred_at_not_allowed']);
    const others = await member.post('/attendance/punches', {
      type: 'clock_in',
      member_id: manager.member_id,
    });
    assert.deepEqual([others.status, others.body.code], [403, 'role_required']);
    const given = await manager.done('POST', '/punches', { ...past, member_id: member.member_id });
    assert.deepEqual(
      [given.punch.occurred_at, given.punch.original_occurred_at, given.status.worked_minutes_so_far],
      [MORNING, now.toISOString(), 0],
    );
    const unseen = await manager.post('/attendance/punches', { ...past, member_id: owner.member_id });
    assert.deepEqual([unseen.status, unseen.body.code], [422, 'unknown_reference']);
  });

  test('is refused over a minute ahead, before the newest instant and outside employment, in this order', async () => {
    const owner = await newWorkplace(app);
    const person = await owner.person({ hired_on: '2026-11-20' });
    const punch = (type: string, occurred_at: string) =>
      owner.post('/attendance/punches', { type, occurred_at, member_id: person.id });
    at('2026-11-24T06:00:00.000Z');
    const codeOf = async (...given: [string, string]) => {
      const { status, body } = await punch(...given);
      return [status, body.code ?? null];
    };
    assert.deepEqual(await codeOf('clock_in', '2026-11-24T06:01:00.001Z'), [422, 'future_time']);
    assert.deepEqual(await codeOf('clock_in', '2026-11-19T06:00:00.000Z'), [409, 'not_employed']);
    assert.equal((await punch('clock_in', '2026-11-24T01:00:00.000Z')).status, 201);
    assert.deepEqual(await codeOf('clock_out', '2026-11-24T00:59:00.000Z'), [409, 'out_of_order']);
    assert.equal((await punch('clock_in', '2026-11-24T00:59:00.000Z')).body.punch.duplicate, true);
    assert.equal((await punch('clock_out', '2026-11-24T06:01:00.000Z')).status, 201);
  });

  test('without occurred_at is the newest instant where another clock ran ahead', async () => {
    const owner = await newWorkplace(app);
    at(MORNING);
    await owner.done('POST', '/punches', { type: 'clock_in', occurred_at: '2026-11-24T00:00:50.000Z' });
    const { punch } = await owner.done('POST', '/punches', { type: 'clock_out' });
    assert.equal(punch.occurred_at, '2026-11-24T00:00:50.000Z');
  });
});

describe('422 at its place', () => {
  test('unknown type, a time without offset, a work date two days off or of another type', async () => {
    const owner = await newWorkplace(app);
    at('2026-11-24T03:00:00.000Z');
    const pathOf = async (body: object) => {
      const reply = await owner.post('/attendance/punches', body);
      return [reply.status, reply.body.errors?.[0]?.path];
    };
    assert.deepEqual(await pathOf({ type: 'lunch' }), [422, '/type']);
    assert.deepEqual(await pathOf({ type: 'clock_in', occurred_at: '2026-11-24T09:00:00' }), [
      422,
      '/occurred_at',
    ]);
    assert.deepEqual(await pathOf({ type: 'clock_in', work_date: '2026-11-22' }), [422, '/work_date']);
    assert.deepEqual(await pathOf({ type: 'break_start', work_date: '2026-11-24' }), [422, '/work_date']);
  });

  test('a location while it is off, none while it is required', async () => {
    const owner = await newWorkplace(app);
    const location = { lat: 35.68, lng: 139.76, accuracy: 10 };
    const off = await owner.post('/attendance/punches', { type: 'clock_in', location });
    assert.deepEqual(
      [off.status, off.body.errors[0].path, off.body.errors[0].code],
      [422, '/location', 'location_not_enabled'],
    );
    await owner.done('PATCH', '/settings', { location: 'required' });
    const missing = await owner.post('/attendance/punches', { type: 'clock_in' });
    assert.deepEqual([missing.status, missing.body.errors[0].code], [422, 'required']);
    const { punch } = await owner.done('POST', '/punches', { type: 'clock_in', location });
    assert.deepEqual(punch.location, location);
  });
});
