import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MemberDays, OrganizationRules } from '../../../../shared/attendance/days/types.ts';
import { figures, recordOn, schedule, session, settings, terms } from '../../../support/attended-days.ts';

const [SAT, SUN, MON, TUE, WED, THU] = [
  '2026-10-03',
  '2026-10-04',
  '2026-10-05',
  '2026-10-06',
  '2026-10-07',
  '2026-10-08',
] as const;

/** Sunday to Friday before that Saturday: 4 x 480 + 300 = 2,220 minutes. */
const WEEK_OF_2220 = ['2026-09-28', '2026-09-29', '2026-09-30', '2026-10-01']
  .map((date) => session(date, '10:00-19:00 (13:00-14:00)'))
  .concat(session('2026-10-02', '10:00-16:00 (13:00-14:00)'));

type Example = {
  name: string;
  given: Partial<MemberDays>;
  rules?: Partial<OrganizationRules>;
  days: Record<string, Record<string, number>>;
};

const examples: Example[] = [
  {
    name: '09:30-17:00 (12-13), 390 minutes: 9:30-19:45 (12-13)',
    given: { sessions: [session(MON, '9:30-19:45 (12:00-13:00)')] },
    rules: {
      schedules: [
        schedule({ start: '09:30', end: '17:00', breaks: [{ start: '12:00', end: '13:00' }], minutes: 390 }),
      ],
    },
    days: {
      [MON]: {
        worked: 555,
        break: 60,
        scheduled: 390,
        non_statutory_overtime: 90,
        statutory_overtime: 75,
        daily_overtime: 75,
      },
    },
  },
  {
    name: 'Saturday 16:00 to Sunday 02:00 (20-21), week so far 2220',
    given: { sessions: [...WEEK_OF_2220, session(SAT, '16:00-26:00 (20:00-21:00)')] },
    days: {
      [SAT]: {
        worked: 420,
        break: 60,
        prescribed_holiday: 180,
        statutory_overtime: 240,
        weekly_overtime: 240,
        night: 120,
        night_statutory_overtime: 120,
      },
      [SUN]: { worked: 120, legal_holiday: 120, night: 120, night_legal_holiday: 120 },
    },
  },
  {
    name: 'Sunday 19:00 to Monday 02:30 (22-22:30); Monday 12:00-20:00 (15-15:30)',
    given: {
      sessions: [session(SUN, '19:00-26:30 (22:00-22:30)'), session(MON, '12:00-20:00 (15:00-15:30)')],
    },
    days: {
      [SUN]: { worked: 270, legal_holiday: 270, break: 30, night: 90, night_legal_holiday: 90 },
      [MON]: {
        worked: 600,
        break: 30,
        scheduled: 480,
        statutory_overtime: 120,
        daily_overtime: 120,
        night: 150,
        late: 120,
        unworked_gap: 570,
      },
    },
  },
  {
    name: 'Wednesday 11:20 to Thursday 10:50 (13-14, 20-20:45)',
    given: { sessions: [session(WED, '11:20-34:50 (13:00-14:00, 20:00-20:45)')] },
    days: {
      [WED]: {
        worked: 1255,
        break: 105,
        scheduled: 480,
        statutory_overtime: 775,
        daily_overtime: 775,
        night: 420,
        night_statutory_overtime: 420,
        late: 80,
      },
      [THU]: { worked: 50, scheduled: 50, early_leave: 430 },
    },
  },
  {
    name: 'half_pm: 10:00-13:45',
    given: {
      sessions: [session(TUE, '10:00-13:45')],
      leave: [
        {
          date: TUE,
          request_id: 'lreq_1',
          type: 'paid_annual',
          unit: 'half_pm',
          start_time: null,
          hours: null,
        },
      ],
    },
    days: { [TUE]: { worked: 225, scheduled: 180, non_statutory_overtime: 45 } },
  },
  {
    name: '10:40-20:00 (13-14), window',
    given: { sessions: [session(TUE, '10:40-20:00 (13:00-14:00)')] },
    rules: { settings: [settings({ scheduled_basis: 'window' })] },
    days: {
      [TUE]: {
        worked: 500,
        break: 60,
        scheduled: 440,
        non_statutory_overtime: 40,
        statutory_overtime: 20,
        daily_overtime: 20,
        late: 40,
      },
    },
  },
  {
    name: 'unit 10, in floor, out ceil, break ceil, floor: 9:54-19:21 (13:02-14:04)',
    given: { sessions: [session(TUE, '9:54-19:21 (13:02-14:04)')] },
    rules: {
      settings: [
        settings({
          rounding: {
            unit_minutes: 10,
            clock_in: 'floor',
            clock_out: 'ceil',
            break_start: 'ceil',
            break_end: 'floor',
          },
        }),
      ],
    },
    days: { [TUE]: { worked: 530, break: 50, scheduled: 480, statutory_overtime: 50, daily_overtime: 50 } },
  },
  {
    name: 'variable_monthly, 600 to 21:00: 10:00-22:20 (13-14)',
    given: {
      terms: [terms({ work_system: 'variable_monthly' })],
      sessions: [session(TUE, '10:00-22:20 (13:00-14:00)')],
    },
    rules: { schedules: [schedule({ end: '21:00', minutes: 600 })] },
    days: {
      [TUE]: {
        worked: 680,
        break: 60,
        scheduled: 600,
        statutory_overtime: 80,
        daily_overtime: 80,
        night: 20,
        night_statutory_overtime: 20,
      },
    },
  },
  {
    name: 'auto_statutory: 10:00-16:50',
    given: { sessions: [session(TUE, '10:00-16:50')] },
    rules: { settings: [settings({ break_mode: 'auto_statutory' })] },
    days: { [TUE]: { worked: 365, break: 45, scheduled: 365, early_leave: 130 } },
  },
  {
    name: 'auto_statutory: 10:00-18:53',
    given: { sessions: [session(TUE, '10:00-18:53')] },
    rules: { settings: [settings({ break_mode: 'auto_statutory' })] },
    days: { [TUE]: { worked: 480, break: 53, scheduled: 480, early_leave: 7 } },
  },
];

describe('a day of a schedule from 10:00 to 19:00 (13:00 to 14:00)', () => {
  for (const { name, given, rules, days } of examples) {
    test(name, () => {
      for (const [date, expected] of Object.entries(days)) {
        assert.deepEqual(figures(recordOn(date, given, rules)), expected, date);
      }
    });
  }
});
