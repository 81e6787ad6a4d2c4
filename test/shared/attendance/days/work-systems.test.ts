import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordsOf } from '../../../../shared/attendance/days/records.ts';
import { rulesOf } from '../../../../shared/attendance/days/rules.ts';
import {
  figures,
  leave,
  member,
  organization,
  recordOn,
  schedule,
  session,
  terms,
} from '../../../support/attended-days.ts';

const [SAT, SUN, TUE, WED] = ['2026-10-03', '2026-10-04', '2026-10-06', '2026-10-07'] as const;

describe('work systems', () => {
  const month = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`);
  const everyDay = month.map((date) => session(date, '10:00-19:00 (13:00-14:00)'));
  const october = (changes: Parameters<typeof terms>[0], sessions = everyDay, rules = {}) =>
    recordsOf(rulesOf(organization(rules)), member({ terms: [terms(changes)], sessions }), {
      from: month[0]!,
      to: month[30]!,
    });
  const sum = (
    records: ReturnType<typeof october>,
    name:
      | 'statutory_overtime_minutes'
      | 'scheduled_minutes'
      | 'non_statutory_overtime_minutes'
      | 'legal_holiday_minutes',
  ) => records.reduce((all, record) => all + record[name], 0);

  test('flexible: the period settles, 31 days have 10628 minutes', () => {
    const records = october({ work_system: 'flexible' });
    // 22 workdays ask for 10,560 minutes; 27 days outside four Sundays have 12,960.
    assert.equal(sum(records, 'scheduled_minutes'), 10_560);
    assert.equal(sum(records, 'non_statutory_overtime_minutes'), 68);
    assert.equal(sum(records, 'statutory_overtime_minutes'), 12_960 - 10_628);
    assert.equal(sum(records, 'legal_holiday_minutes'), 4 * 480);
    assert.ok(
      records.every(
        ({ daily_overtime_minutes, weekly_overtime_minutes }) =>
          daily_overtime_minutes + weekly_overtime_minutes === 0,
      ),
    );
  });

  test('flexible, workdays: 480 for each of them', () => {
    const records = october({ work_system: 'flexible', flexible_limit: 'workdays' });
    assert.equal(sum(records, 'statutory_overtime_minutes'), 12_960 - 22 * 480);
  });

  test('flexible: late and early against the core alone', () => {
    const rules = { schedules: [schedule({ core: { start: '11:00', end: '15:00' } })] };
    const flexible = { terms: [terms({ work_system: 'flexible' })] };
    const given = (text: string) => ({
      ...flexible,
      sessions: [session(TUE, text)],
    });
    assert.equal(recordOn(TUE, given('11:20-14:30'), rules).late_minutes, 20);
    assert.equal(recordOn(TUE, given('11:20-14:30'), rules).early_leave_minutes, 30);
    assert.equal(recordOn(TUE, given('10:40-15:00'), rules).late_minutes, 0);
    assert.deepEqual(figures(recordOn(TUE, given('16:00-17:00'), rules)), {
      worked: 60,
      scheduled: 60,
      late: 180,
    });
    assert.equal(recordOn(TUE, flexible, rules).absence_minutes, 480);
    assert.equal(recordOn(TUE, flexible).absence_minutes, 0);
  });

  test('variable_monthly: a part of a week has its part of the limit', () => {
    // Thursday to Saturday, 1 to 3 October, are a part of three days: floor(2400 x 3 / 7) = 1028 minutes.
    const records = october({ work_system: 'variable_monthly' }, everyDay, {
      schedules: [schedule({ minutes: 300 })],
    });
    assert.deepEqual(
      records.slice(0, 3).map(({ weekly_overtime_minutes }) => weekly_overtime_minutes),
      [0, 0, 3 * 480 - 1_028],
    );
  });

  test('variable_monthly: what the period has beyond its limit is overtime in neither part', () => {
    const rules = { schedules: [schedule({ end: '21:00', minutes: 600 })] };
    const records = october(
      { work_system: 'variable_monthly' },
      month.map((date) => session(date, '10:00-21:00 (13:00-14:00)')),
      rules,
    );
    const parts = records.reduce(
      (all, one) => all + one.daily_overtime_minutes + one.weekly_overtime_minutes,
      0,
    );
    const others = records.reduce(
      (all, one) => all + one.worked_minutes - one.statutory_overtime_minutes - one.legal_holiday_minutes,
      0,
    );
    assert.equal(others, 10_628);
    assert.ok(sum(records, 'statutory_overtime_minutes') > parts);
  });

  test('discretionary: a workday with presence counts as deemed, night as punched', () => {
    const given = { terms: [terms({ work_system: 'discretionary' as const, deemed_minutes: 540 })] };
    const record = recordOn(TUE, { ...given, sessions: [session(TUE, '15:00-23:00')] });
    assert.deepEqual(figures(record), {
      worked: 540,
      scheduled: 480,
      statutory_overtime: 60,
      daily_overtime: 60,
      night: 60,
    });
    assert.equal(record.presence_minutes, 480);
    const half = recordOn(TUE, {
      ...given,
      leave: [leave(TUE, 'half_am')],
      sessions: [session(TUE, '15:00-16:00')],
    });
    assert.deepEqual([half.worked_minutes, half.scheduled_minutes], [360, 300]);
    assert.equal(
      recordOn(SAT, { ...given, sessions: [session(SAT, '10:00-12:00')] }).prescribed_holiday_minutes,
      120,
    );
  });

  test('exempt: every minute is scheduled, only night counts besides', () => {
    const given = { terms: [terms({ work_system: 'exempt' as const })] };
    const record = recordOn(SUN, { ...given, sessions: [session(SUN, '12:00-23:00')] });
    assert.deepEqual(figures(record), { worked: 660, scheduled: 660, night: 60 });
    assert.equal(record.has_break_shortage, false);
    assert.equal(recordOn(WED, given).absence_minutes, 0);
  });

  test('segments add up to the record', () => {
    for (const record of recordsOf(
      rulesOf(organization()),
      member({ sessions: [session(WED, '11:20-34:50 (13:00-14:00, 20:00-20:45)')] }),
      { from: WED, to: WED, with_segments: true },
    )) {
      const lengths: Record<string, number> = {};
      for (const one of record.segments) {
        lengths[one.class] =
          (lengths[one.class] ?? 0) + (Date.parse(one.end_at) - Date.parse(one.start_at)) / 60_000;
      }
      assert.deepEqual(lengths, { scheduled: 480, statutory_overtime: 775, break: 105 });
    }
  });
});
