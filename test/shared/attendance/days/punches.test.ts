import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plansOf } from '../../../../shared/attendance/days/day-plan.ts';
import {
  type PunchType,
  punchTypes,
  standingAt,
  stepOf,
} from '../../../../shared/attendance/days/punch-states.ts';
import { rulesOf } from '../../../../shared/attendance/days/rules.ts';
import { sessionsOfPunches } from '../../../../shared/attendance/days/sessions-of-punches.ts';
import type { MemberDays, OrganizationRules, Session } from '../../../../shared/attendance/days/types.ts';
import { workDateOf } from '../../../../shared/attendance/days/work-date.ts';
import { member, organization, schedule, session, settings, tokyo } from '../../../support/attended-days.ts';

const TUE = '2026-10-06';

const plans = (given: Partial<MemberDays> = {}, rules: Partial<OrganizationRules> = {}) =>
  plansOf(rulesOf(organization(rules)), member(given));

describe('the table of punches', () => {
  const at = tokyo(TUE, '18:00');
  const states: Record<string, [Session | null, string]> = {
    off_duty: [null, at],
    working: [session(TUE, '10:00-'), at],
    on_break: [session(TUE, '10:00- (12:00-)'), at],
    expired: [session(TUE, '10:00-'), tokyo(TUE, '34:01')],
  };
  const rows: Record<string, string[]> = {
    off_duty: ['working', 'not_clocked_in', 'not_on_break', 'not_clocked_in'],
    working: ['already_clocked_in', 'on_break', 'not_on_break', 'off_duty'],
    on_break: ['already_clocked_in', 'already_on_break', 'working', 'off_duty'],
    expired: ['working', 'session_expired', 'session_expired', 'session_expired'],
  };
  for (const [state, [newest, instant]] of Object.entries(states)) {
    test(state, () => {
      const standing = standingAt(newest, instant, 24);
      const steps = punchTypes.map((type) => stepOf(standing, type));
      assert.deepEqual(
        steps.map((step) => ('to' in step ? step.to : step.refused)),
        rows[state],
      );
      assert.deepEqual(
        standing.allowed_types,
        punchTypes.filter((_, index) => 'to' in steps[index]!),
      );
      assert.equal(standing.state, state === 'expired' ? 'off_duty' : state);
    });
  }

  test('a session is expired over its most hours, not at them; its minutes are cut', () => {
    const open = session(TUE, '10:00-');
    const later = (milliseconds: number) =>
      new Date(Date.parse(tokyo(TUE, '34:00')) + milliseconds).toISOString();
    assert.equal(standingAt(open, later(0), 24).is_expired, false);
    assert.equal(standingAt(open, later(1), 24).is_expired, true);
    assert.equal(standingAt(open, later(59_999), 24).elapsed_minutes, 1_440);
    assert.equal(standingAt(open, later(60_000), 24).elapsed_minutes, 1_441);
  });
});

describe('punches make sessions', () => {
  const punch = (type: PunchType, time: string, work_date: string | null = null) => ({
    type,
    occurred_at: tokyo(TUE, time),
    work_date,
  });

  test('a clock_out ends the break at that minute', () => {
    const made = sessionsOfPunches(
      plans(),
      [punch('clock_in', '10:00'), punch('break_start', '18:00'), punch('clock_out', '19:00')],
      24,
    );
    const expected = session(TUE, '10:00-19:00 (18:00-19:00)');
    assert.deepEqual(made, {
      sessions: [{ ...expected, breaks: [{ ...expected.breaks[0]!, is_closed_by_clock_out: true }] }],
    });
  });

  test('the first one that is refused is named, or is out of order', () => {
    const refused = (...punches: ReturnType<typeof punch>[]) => {
      const made = sessionsOfPunches(plans(), punches, 24);
      assert.ok('refused' in made);
      return [made.index, made.refused];
    };
    assert.deepEqual(refused(punch('clock_in', '10:00'), punch('clock_in', '11:00')), [
      1,
      'already_clocked_in',
    ]);
    assert.deepEqual(refused(punch('clock_in', '10:00'), punch('clock_out', '09:59')), [1, 'out_of_order']);
    assert.deepEqual(refused(punch('clock_in', '10:00'), punch('clock_out', '34:01')), [
      1,
      'session_expired',
    ]);
  });

  test('after an expired session comes a new one', () => {
    const made = sessionsOfPunches(
      plans(),
      [punch('clock_in', '10:00'), punch('clock_in', '34:01'), punch('clock_out', '43:00')],
      24,
    );
    assert.ok('sessions' in made);
    assert.deepEqual(
      made.sessions.map(({ work_date, clock_out_at }) => [work_date, clock_out_at !== null]),
      [
        [TUE, false],
        ['2026-10-07', true],
      ],
    );
  });
});

describe('the work date of a clock_in', () => {
  const night = { schedules: [schedule({ start: '22:00', end: '07:00', breaks: [], minutes: 480 })] };
  const early = { schedules: [schedule({ start: '04:00', end: '12:00', breaks: [], minutes: 480 })] };
  const rows: [string, string, string, Partial<MemberDays>, Partial<OrganizationRules>][] = [
    ['in the window: that date', '12:00', TUE, {}, {}],
    ['shift from 04:00, clock_in 03:50: that date', '03:50', TUE, {}, early],
    ['three hours before the window', '07:00', TUE, {}, {}],
    ['before the boundary and no window near: the day before', '04:59', '2026-10-05', {}, {}],
    ['from the boundary on: the calendar date', '05:00', TUE, {}, {}],
    ['in the window that began the evening before', '26:00', TUE, {}, night],
    ['after the window: the calendar date', '23:30', TUE, {}, {}],
    [
      'a shift from 00:30, clock_in at 23:50 the evening before',
      '23:50',
      '2026-10-07',
      {},
      { schedules: [schedule({ start: '00:30', end: '09:00', breaks: [], minutes: 480 })] },
    ],
    [
      'two windows: the one that starts latest',
      '30:30',
      '2026-10-07',
      { roster: [{ date: TUE, day_type: 'workday', schedule_id: 'wsch_night' }] },
      {
        schedules: [
          schedule({ start: '09:00', end: '18:00' }),
          schedule({ id: 'wsch_night', start: '22:00', end: '07:00', breaks: [], is_default: false }),
        ],
      },
    ],
    [
      'a window that leave has moved: the night before',
      '03:50',
      '2026-10-05',
      {
        leave: [
          { date: TUE, request_id: 'lreq_1', type: 'special', unit: 'hourly', start_time: '04:00', hours: 4 },
        ],
      },
      early,
    ],
    ['another boundary', '00:30', TUE, {}, { settings: [settings({ day_boundary_time: '00:00' })] }],
  ];
  for (const [name, time, expected, given, rules] of rows) {
    test(name, () => {
      assert.equal(workDateOf(plans(given, rules), tokyo(TUE, time)), expected);
    });
  }
});
