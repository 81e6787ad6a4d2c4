import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, session, type Workplace } from '../../support/attendance.ts';
import { toldSoFar } from '../../support/facts.ts';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const app = await startApp({ now: () => NOW });

const pathOf = ({ member_id }: Workplace, date: string) => `/records/${member_id}/${date}`;

describe('PUT /records', () => {
  test('replaces a day with a revision; punches stay, and later ones go on from it', async () => {
    const owner = await newWorkplace(app);
    await owner.done('POST', '/punches', { type: 'clock_in' });
    const worked = session('2026-11-24', '00:00', '09:00', [['03:00', '04:00']]);
    const { record } = await owner.done('PUT', pathOf(owner, '2026-11-24'), {
      sessions: [worked],
      reason: '打刻忘れ',
    });
    assert.deepEqual(record.sessions, [worked]);
    assert.deepEqual([record.worked_minutes, record.version, record.punches.length], [480, 2, 1]);
    assert.deepEqual(
      record.revisions.map(({ version, reason, source, sessions, actor }: Record<string, unknown>) => [
        version,
        reason,
        source,
        sessions,
        (actor as { type: string }).type,
      ]),
      [[2, '打刻忘れ', 'put', [worked], 'api_key']],
    );
    const sum = (kind: string) =>
      record.segments
        .filter((one: { class: string }) => one.class === kind)
        .reduce(
          (minutes: number, { start_at, end_at }: { start_at: string; end_at: string }) =>
            minutes + (Date.parse(end_at) - Date.parse(start_at)) / 60_000,
          0,
        );
    assert.deepEqual([sum('scheduled'), sum('break')], [480, 60]);
    const { status } = await owner.done('GET', '/punches/status');
    assert.equal(status.state, 'off_duty');
    const [entry] = (await toldSoFar(app, owner.organization_id)).audit.filter(
      ({ entity_type }) => entity_type === 'record',
    );
    assert.deepEqual(entry?.action, 'update');
  });

  test('a newest session without end runs: the next punch goes on from it', async () => {
    const owner = await newWorkplace(app);
    await owner.done('PUT', pathOf(owner, '2026-11-24'), {
      sessions: [session('2026-11-24', '00:00', null)],
    });
    const { status } = await owner.done('GET', '/punches/status');
    assert.deepEqual([status.state, status.worked_minutes_so_far], ['working', 720]);
    const { record } = await owner.done('POST', '/punches', { type: 'clock_out' });
    assert.deepEqual([record.presence_minutes, record.version], [720, 2]);
  });

  test('the same sessions write nothing; If-Match is the version, from 0 on', async () => {
    const owner = await newWorkplace(app);
    const path = `/attendance${pathOf(owner, '2026-11-20')}`;
    const empty = await owner.get(path);
    assert.deepEqual([empty.body.record.id, empty.body.record.version], [null, 0]);
    const etag = empty.headers.get('etag')!;
    const body = { sessions: [session('2026-11-20', '00:00', '08:00')] };
    const answers = await Promise.all(
      [0, 1].map((hours) =>
        owner.send(
          'PUT',
          path,
          { sessions: [session('2026-11-20', `0${hours}:00`, '08:00')] },
          { 'If-Match': etag },
        ),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412]);
    await owner.send('PUT', path, body);
    const before = (await owner.get(path)).body.record;
    const again = await owner.send('PUT', path, body);
    assert.deepEqual([again.status, again.body.record.version], [200, before.version]);
  });

  test('422 for sessions that overlap, run backwards, last too long, lie ahead, and breaks outside', async () => {
    const owner = await newWorkplace(app);
    const faultOf = async (...sessions: object[]) => {
      const { status, body } = await owner.send('PUT', `/attendance${pathOf(owner, '2026-11-24')}`, {
        sessions,
      });
      return [status, body.errors?.[0]?.path, body.errors?.[0]?.code];
    };
    const day = (from: string, to: string | null, breaks?: [string, string | null][]) =>
      session('2026-11-24', from, to, breaks);
    assert.deepEqual(await faultOf(day('00:00', '04:00'), day('03:59', '05:00')), [
      422,
      '/sessions/1/clock_in_at',
      'overlap',
    ]);
    assert.deepEqual(await faultOf(day('04:00', '03:00')), [422, '/sessions/0/clock_out_at', 'before_start']);
    assert.deepEqual(await faultOf({ ...day('00:00', '04:00'), clock_in_at: '2026-11-23T03:59:00.000Z' }), [
      422,
      '/sessions/0/clock_out_at',
      'too_long',
    ]);
    assert.deepEqual(await faultOf(day('00:00', '12:02')), [422, '/sessions/0/clock_out_at', 'future_time']);
    assert.deepEqual(await faultOf({ ...day('00:00', null), clock_in_at: '2026-11-22T00:00:00.000Z' }), [
      422,
      '/sessions/0/clock_in_at',
      'far_from_work_date',
    ]);
    assert.deepEqual(await faultOf(day('01:00', '04:00', [['00:30', '02:00']])), [
      422,
      '/sessions/0/breaks/0/start_at',
      'outside_session',
    ]);
    assert.deepEqual(await faultOf(day('00:00', null), day('02:00', '03:00')), [
      422,
      '/sessions/0/clock_out_at',
      'required',
    ]);
  });

  test('409 for a session of another date in the same time, also of two requests at once', async () => {
    const owner = await newWorkplace(app);
    await owner.done('PUT', pathOf(owner, '2026-11-20'), {
      sessions: [{ clock_in_at: '2026-11-20T13:00:00.000Z', clock_out_at: '2026-11-20T22:00:00.000Z' }],
    });
    const reply = await owner.send('PUT', `/attendance${pathOf(owner, '2026-11-21')}`, {
      sessions: [{ clock_in_at: '2026-11-20T21:00:00.000Z', clock_out_at: '2026-11-21T01:00:00.000Z' }],
    });
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.work_date],
      [409, 'overlapping_session', '2026-11-20'],
    );
    const sessions = [{ clock_in_at: '2026-11-18T00:00:00.000Z', clock_out_at: '2026-11-18T02:00:00.000Z' }];
    const both = await Promise.all(
      ['2026-11-17', '2026-11-18'].map((date) =>
        owner.send('PUT', `/attendance${pathOf(owner, date)}`, { sessions }),
      ),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  });

  test('the database itself refuses sessions of a member that overlap', async () => {
    const owner = await newWorkplace(app);
    await owner.done('PUT', pathOf(owner, '2026-11-20'), {
      sessions: [session('2026-11-20', '00:00', '08:00')],
    });
    await assert.rejects(
      app.database.withConnection(owner.organization_id, ({ query }) =>
        query(
          `INSERT INTO attendance_sessions (organization_id, id, member_id, work_date, clock_in_at, clock_out_at, occupied_until)
           SELECT organization_id, 'asess_other', member_id, work_date, clock_in_at, clock_out_at, occupied_until
             FROM attendance_sessions WHERE organization_id = $1`,
          [owner.organization_id],
        ),
      ),
      { constraint: 'attendance_sessions_do_not_overlap' },
    );
  });

  test('managers for their team alone, members not at all; 404 for whom one does not see', async () => {
    const owner = await newWorkplace(app);
    const [manager, member] = [await owner.colleague('manager'), await owner.colleague('member')];
    const department = await owner.department({ manager_member_id: manager.member_id });
    await owner.done('PATCH', `/members/${member.member_id}`, { department_id: department.id });
    const body = { sessions: [session('2026-11-20', '00:00', '08:00')] };
    const own = await member.send('PUT', `/attendance${pathOf(member, '2026-11-20')}`, body);
    assert.deepEqual([own.status, own.body.code], [403, 'role_required']);
    await manager.done('PUT', pathOf(member, '2026-11-20'), body);
    assert.equal((await member.get(`/attendance${pathOf(member, '2026-11-20')}`)).body.record.version, 1);
    for (const send of [
      manager.send('PUT', `/attendance${pathOf(owner, '2026-11-20')}`, body),
      member.get(`/attendance${pathOf(owner, '2026-11-20')}`),
    ]) {
      assert.equal((await send).status, 404);
    }
  });
});

describe('what a day follows from', () => {
  test('approved leave reaches the record, and leaves it when it is taken back', async () => {
    const owner = await newWorkplace(app);
    const person = await owner.person();
    const path = `/records/${person.id}/2026-11-20`;
    const alertsOf = async () => (await owner.done('GET', path)).record;
    assert.deepEqual([(await alertsOf()).alerts, (await alertsOf()).absence_minutes], [['no_record'], 480]);
    const { leave_request } = await owner.done('POST', '/leave-requests', {
      type: 'sick',
      start_date: '2026-11-20',
      member_id: person.id,
    });
    await owner.done('POST', `/leave-requests/${leave_request.id}/approve`);
    const absent = await alertsOf();
    assert.deepEqual(
      [absent.alerts, absent.absence_minutes, absent.leave.map(({ type }: { type: string }) => type)],
      [[], 0, ['sick']],
    );
    await owner.done('POST', `/leave-requests/${leave_request.id}/cancel`);
    assert.deepEqual((await alertsOf()).alerts, ['no_record']);
  });

  test('weekly overtime follows from the days before: a late change of Monday reaches Saturday', async () => {
    const owner = await newWorkplace(app);
    for (const day of ['16', '17', '18', '19', '20', '21']) {
      await owner.done('PUT', pathOf(owner, `2026-11-${day}`), {
        sessions: [session(`2026-11-${day}`, '00:00', '08:00')],
      });
    }
    const saturday = async () => (await owner.done('GET', pathOf(owner, '2026-11-21'))).record;
    assert.equal((await saturday()).weekly_overtime_minutes, 480);
    await owner.done('PUT', pathOf(owner, '2026-11-16'), { sessions: [] });
    const after = await saturday();
    assert.deepEqual([after.weekly_overtime_minutes, after.version, after.calc_version], [0, 1, 2]);
  });
});
