import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isRoundingUnfavourable } from '../../../../shared/attendance/days/rounding.ts';
import type { DayType, Holiday, LeaveOfDay } from '../../../../shared/attendance/days/types.ts';
import {
  figures,
  leave,
  recordOn,
  schedule,
  session,
  settings,
  terms,
} from '../../../support/attended-days.ts';

const [SAT, SUN, MON, TUE] = ['2026-10-03', '2026-10-04', '2026-10-05', '2026-10-06'] as const;

describe('the type of a day', () => {
  const on = (
    date: string,
    holidays: Holiday[],
    system: 'fixed' | 'shift' = 'fixed',
    national_holidays_as: DayType = 'prescribed_holiday',
  ) =>
    recordOn(
      date,
      { terms: [terms({ work_system: system })] },
      { holidays, settings: [settings({ national_holidays_as })] },
    ).day_type;
  const national: Holiday = { date: MON, kind: 'national', counts_as: null };
  const company = (date: string, counts_as: DayType): Holiday => ({ date, kind: 'company', counts_as });

  test('is that of the weekday', () => {
    assert.deepEqual(
      [SAT, SUN, MON].map((date) => on(date, [])),
      ['prescribed_holiday', 'legal_holiday', 'workday'],
    );
  });

  test('is that of a holiday: the company overrules the nation, a national workday is no holiday', () => {
    assert.equal(on(MON, [national]), 'prescribed_holiday');
    assert.equal(on(MON, [national], 'fixed', 'legal_holiday'), 'legal_holiday');
    assert.equal(on(MON, [national], 'fixed', 'workday'), 'workday');
    assert.equal(on(SAT, [{ ...national, date: SAT }], 'fixed', 'workday'), 'prescribed_holiday');
    assert.equal(on(MON, [national, company(MON, 'workday')]), 'workday');
    assert.equal(on(SUN, [company(SUN, 'workday')]), 'workday');
  });

  test('stays legal on the legal weekday under a holiday that counts as prescribed', () => {
    assert.equal(on(SUN, [company(SUN, 'prescribed_holiday')]), 'legal_holiday');
    assert.equal(on(SUN, [{ ...national, date: SUN }]), 'legal_holiday');
  });

  test('is the roster, and without it a prescribed holiday for shifts, also on Sundays', () => {
    assert.equal(on(SUN, [], 'shift'), 'prescribed_holiday');
    assert.equal(on(MON, [], 'shift'), 'prescribed_holiday');
    const roster = [{ date: SUN, day_type: 'workday' as const, schedule_id: null }];
    assert.equal(recordOn(SUN, { roster }).day_type, 'workday');
  });
});

describe('breaks', () => {
  test('auto_schedule: what sessions and the schedule share, where none was punched', () => {
    const rules = { settings: [settings({ break_mode: 'auto_schedule' })] };
    assert.equal(recordOn(TUE, { sessions: [session(TUE, '13:30-19:00')] }, rules).break_minutes, 30);
    assert.equal(
      recordOn(TUE, { sessions: [session(TUE, '10:00-19:00 (15:00-15:10)')] }, rules).break_minutes,
      10,
    );
  });

  test('auto_statutory: what the schedule has no room for begins with the 361st minute', () => {
    const rules = {
      settings: [settings({ break_mode: 'auto_statutory' })],
      schedules: [schedule({ breaks: [{ start: '13:00', end: '13:20' }] })],
    };
    const record = recordOn(TUE, { sessions: [session(TUE, '10:00-20:00')] }, rules);
    assert.deepEqual(
      record.segments
        .filter((one) => one.class === 'break')
        .map(({ start_at, end_at }) => [start_at, end_at]),
      [
        ['2026-10-06T04:00:00.000Z', '2026-10-06T04:20:00.000Z'],
        ['2026-10-06T07:00:00.000Z', '2026-10-06T07:40:00.000Z'],
      ],
    );
    assert.equal(record.automatic_break_minutes, 60);
  });

  test('a gap between sessions is no break, but spares one', () => {
    const rules = { settings: [settings({ break_mode: 'auto_statutory' })] };
    const record = recordOn(
      TUE,
      { sessions: [session(TUE, '10:00-14:00'), session(TUE, '14:45-18:00')] },
      rules,
    );
    assert.deepEqual(
      [record.worked_minutes, record.break_minutes, record.unworked_gap_minutes],
      [435, 0, 45],
    );
  });

  const shortages: [string, boolean][] = [
    ['10:00-16:00', false],
    ['10:00-16:01', true],
    ['10:00-17:00 (13:00-13:44)', true],
    ['10:00-17:00 (13:00-13:45)', false],
    ['10:00-19:00 (13:00-13:59)', true],
    ['10:00-18:45 (13:00-13:45)', false],
    ['10:00-18:46 (13:00-13:45)', true],
    ['10:00-19:00 (13:00-14:00)', false],
  ];
  for (const [text, expected] of shortages) {
    test(`${text} ${expected ? 'falls short of' : 'satisfies'} article 34`, () => {
      assert.equal(recordOn(TUE, { sessions: [session(TUE, text)] }).has_break_shortage, expected);
    });
  }
});

describe('leave takes from the window', () => {
  const rows: [string, LeaveOfDay[], string, Record<string, number>][] = [
    ['half_am: all before pm_start', [leave(TUE, 'half_am')], '14:00-19:00', { worked: 300, scheduled: 300 }],
    [
      'full: work is beyond the schedule',
      [leave(TUE, 'full')],
      '10:00-12:00',
      { worked: 120, non_statutory_overtime: 120 },
    ],
    [
      'hourly: the next scheduled minutes',
      [leave(TUE, 'hourly', '12:00', 2)],
      '10:00-19:00 (12:00-15:00)',
      { worked: 360, break: 180, scheduled: 360 },
    ],
    [
      'hourly at the start',
      [leave(TUE, 'hourly', '10:00', 1)],
      '11:00-19:00 (13:00-14:00)',
      { worked: 420, break: 60, scheduled: 420 },
    ],
    [
      'hourly, and late after it',
      [leave(TUE, 'hourly', '10:00', 1)],
      '11:10-19:00 (13:00-14:00)',
      { worked: 410, break: 60, scheduled: 410, late: 10 },
    ],
  ];
  for (const [name, taken, text, expected] of rows) {
    test(name, () => {
      assert.deepEqual(figures(recordOn(TUE, { leave: taken, sessions: [session(TUE, text)] })), expected);
    });
  }

  test('what is left of a day without presence is absence', () => {
    const record = recordOn(TUE, { leave: [leave(TUE, 'half_pm')] });
    assert.deepEqual([record.absence_minutes, record.is_absence], [180, false]);
    assert.deepEqual([recordOn(TUE, {}).absence_minutes, recordOn(TUE, {}).is_absence], [480, true]);
  });
});

describe('early clock_in', () => {
  const rules = { settings: [settings({ early_clock_in: 'ignore_unless_approved' })] };
  const sessions = [session(TUE, '8:30-19:00 (13:00-14:00)')];

  test('is ignored to the start of the window', () => {
    assert.deepEqual(figures(recordOn(TUE, { sessions }, rules)), {
      ignored: 90,
      worked: 480,
      break: 60,
      scheduled: 480,
    });
  });

  test('counts where an approved request covers it', () => {
    const overtime = [
      {
        kind: 'before' as const,
        planned_start_at: '2026-10-06T00:00:00.000Z',
        planned_end_at: '2026-10-06T01:00:00.000Z',
      },
    ];
    const record = recordOn(TUE, { sessions, overtime }, rules);
    assert.deepEqual([record.ignored_minutes, record.worked_minutes], [30, 540]);
    assert.equal(record.unapproved_overtime_minutes, 60);
  });

  test('is unfavourable, as is rounding against the member', () => {
    const grid = {
      unit_minutes: 15,
      clock_in: 'floor',
      clock_out: 'ceil',
      break_start: 'ceil',
      break_end: 'floor',
    } as const;
    const isUnfavourable = (changes: object) =>
      isRoundingUnfavourable(settings({ rounding: { ...grid, ...changes } }));
    assert.equal(isUnfavourable({}), false);
    assert.equal(isUnfavourable({ clock_in: 'ceil' }), true);
    assert.equal(isUnfavourable({ clock_in: 'ceil', unit_minutes: 1 }), false);
    assert.equal(isUnfavourable({ break_end: 'ceil' }), true);
    assert.equal(isUnfavourable({ clock_out: 'floor' }), true);
    assert.equal(isUnfavourable({ break_start: 'floor' }), true);
    assert.equal(isRoundingUnfavourable(settings({ early_clock_in: 'ignore_unless_approved' })), true);
  });
});

describe('clock changes', () => {
  const newYork = { settings: [settings({ time_zone: 'America/New_York' })] };
  const night = (date: string, clock_in_at: string, clock_out_at: string) =>
    recordOn(date, { sessions: [{ work_date: date, clock_in_at, clock_out_at, breaks: [] }] }, newYork);

  test('a session over the change to winter time has its real minutes: 00:00 to 06:00 is 420', () => {
    const record = night('2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-01T11:00:00.000Z');
    assert.deepEqual([record.worked_minutes, record.night_minutes], [420, 360]);
  });

  test('and over the change to summer time: 300', () => {
    const record = night('2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-08T10:00:00.000Z');
    assert.deepEqual([record.worked_minutes, record.night_minutes], [300, 240]);
  });
});
