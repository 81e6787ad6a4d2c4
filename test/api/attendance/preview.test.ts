import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const app = await startApp({ now: () => NOW });

/** A day of October 2026 at a time on the clock of Tokyo; 24:00 and later is the next day. */
function at(day: number, clock: string): string {
  const [hours, minutes] = clock.split(':').map(Number);
  return new Date(Date.UTC(2026, 9, day, hours! - 9, minutes)).toISOString();
}

type Row = Record<string, unknown>;

/** What is not zero, empty or about the schedule: as the tables of the rules tell a day. */
const told = (record: Row) =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => name.endsWith('_minutes') && value !== 0),
  );

const tenToSeven = { start: '10:00', end: '19:00', breaks: [{ start: '13:00', end: '14:00' }] };

const punchesOf = (day: number, ...times: string[]) =>
  times.map((time, index) => ({
    type:
      index === 0
        ? 'clock_in'
        : index === times.length - 1
          ? 'clock_out'
          : index % 2 === 1
            ? 'break_start'
            : 'break_end',
    occurred_at: at(day, time),
  }));

describe('POST /preview', () => {
  test('counts what the week has so far, over midnight into a legal holiday', async () => {
    const owner = await newWorkplace(app);
    // The 24th is a Saturday.
    const { records, totals } = await owner.done('POST', '/preview', {
      schedule: tenToSeven,
      week_prior_statutory_minutes: 2_220,
      punches: punchesOf(24, '16:00', '20:00', '21:00', '26:00'),
    });
    assert.deepEqual(
      records.map((record: Row) => record['work_date']),
      ['2026-10-24', '2026-10-25'],
    );
    assert.deepEqual(told(records[0]), {
      presence_minutes: 480,
      break_minutes: 60,
      worked_minutes: 420,
      prescribed_holiday_minutes: 180,
      statutory_overtime_minutes: 240,
      weekly_overtime_minutes: 240,
      night_minutes: 120,
      night_statutory_overtime_minutes: 120,
    });
    assert.deepEqual(told(records[1]), {
      presence_minutes: 120,
      worked_minutes: 120,
      legal_holiday_minutes: 120,
      night_minutes: 120,
      night_legal_holiday_minutes: 120,
    });
    assert.deepEqual(
      [totals.worked_minutes, totals.premium_25_minutes, totals.premium_35_minutes],
      [540, 240, 120],
    );
  });

  test('takes other settings, terms, day types, times and leave', async () => {
    const owner = await newWorkplace(app);
    const rounded = await owner.done('POST', '/preview', {
      settings: {
        rounding: {
          unit_minutes: 10,
          clock_in: 'floor',
          clock_out: 'ceil',
          break_start: 'ceil',
          break_end: 'floor',
        },
      },
      schedule: tenToSeven,
      punches: punchesOf(20, '09:54', '13:02', '14:04', '19:21'),
    });
    assert.deepEqual(
      [
        rounded.records[0].worked_minutes,
        rounded.records[0].break_minutes,
        rounded.records[0].statutory_overtime_minutes,
      ],
      [530, 50, 50],
    );
    const variable = await owner.done('POST', '/preview', {
      terms: { work_system: 'variable_monthly' },
      days: [
        {
          date: '2026-10-20',
          day_type: 'workday',
          schedule: { ...tenToSeven, end: '21:00', minutes: 600 },
        },
      ],
      punches: punchesOf(20, '10:00', '13:00', '14:00', '22:20'),
    });
    assert.deepEqual(
      [variable.records[0].scheduled_minutes, variable.records[0].statutory_overtime_minutes],
      [600, 80],
    );
    const leave = await owner.done('POST', '/preview', {
      schedule: tenToSeven,
      days: [{ date: '2026-10-20', leave: { unit: 'half_pm' } }, { date: '2026-10-21' }],
      punches: punchesOf(20, '10:00', '13:45'),
    });
    assert.deepEqual(told(leave.records[0]), {
      presence_minutes: 225,
      worked_minutes: 225,
      scheduled_minutes: 180,
      non_statutory_overtime_minutes: 45,
    });
    assert.deepEqual(
      [leave.records[1].absence_minutes, leave.records[1].alerts, leave.totals.leave_days],
      [480, ['no_record'], { paid_annual: 0.5 }],
    );
  });

  test('keeps nothing', async () => {
    const owner = await newWorkplace(app);
    await owner.done('POST', '/preview', { punches: punchesOf(20, '10:00', '19:00') });
    const [kept] = await app.database.withConnection(owner.organization_id, ({ query }) =>
      query<{ count: number }>(
        `SELECT (SELECT count(*) FROM attendance_records WHERE organization_id = $1)
              + (SELECT count(*) FROM attendance_sessions WHERE organization_id = $1)
              + (SELECT count(*) FROM attendance_punches WHERE organization_id = $1) AS count`,
        [owner.organization_id],
      ),
    );
    assert.equal(Number(kept!.count), 0);
  });

  test('422 at its place for what could not be punched or asked', async () => {
    const owner = await newWorkplace(app);
    const faultOf = async (body: object) => {
      const reply = await owner.post('/attendance/preview', body);
      return [reply.status, reply.body.errors?.[0]?.path, reply.body.errors?.[0]?.code];
    };
    const [begin] = punchesOf(20, '10:00', '19:00');
    const day = { date: '2026-10-20' };
    const faults: [object, string, string][] = [
      [{}, '/days', 'required'],
      [{ punches: [{ ...begin, type: 'break_start' }] }, '/punches/0/type', 'not_clocked_in'],
      [
        { punches: [begin, { ...begin, type: 'clock_out', occurred_at: at(20, '09:59') }] },
        '/punches/1/occurred_at',
        'out_of_order',
      ],
      [{ punches: [{ ...begin, work_date: '2026-10-22' }] }, '/punches/0/work_date', 'far_from_occurred_at'],
      [
        { punches: [begin, { type: 'clock_out', occurred_at: at(20, '19:00'), work_date: '2026-10-20' }] },
        '/punches/1/work_date',
        'not_allowed',
      ],
      [
        { punches: [{ type: 'clock_in', occurred_at: '2026-10-20T10:00:00' }] },
        '/punches/0/occurred_at',
        'invalid_format',
      ],
      [{ days: [day, { date: '2026-12-21' }] }, '/days', 'too_long'],
      [{ days: [day, day] }, '/days/1/date', 'duplicate'],
      [{ days: [day], schedule: { ...tenToSeven, minutes: 481 } }, '/schedule/minutes', 'too_large'],
      [
        { days: [day], schedule: { start: '09:00', end: '21:00' } },
        '/schedule/minutes',
        'over_statutory_day',
      ],
      [{ days: [{ ...day, leave: { unit: 'hourly' } }] }, '/days/0/leave/start_time', 'required'],
      [
        { days: [day], settings: { rounding: { unit_minutes: 7 } } },
        '/settings/rounding/unit_minutes',
        'invalid_value',
      ],
      [
        { days: [{ date: '2026-10-18' }], week_prior_statutory_minutes: 60 },
        '/week_prior_statutory_minutes',
        'not_allowed',
      ],
    ];
    for (const [body, path, code] of faults) assert.deepEqual(await faultOf(body), [422, path, code], path);
    const many = Array.from({ length: 1_001 }, () => begin);
    assert.deepEqual((await faultOf({ punches: many })).slice(0, 2), [422, '/punches']);
  });
});
