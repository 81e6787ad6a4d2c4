import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Alert, alertsOf } from '../../../../shared/attendance/days/alerts.ts';
import { plansOf } from '../../../../shared/attendance/days/day-plan.ts';
import { flexibleBalanceOf } from '../../../../shared/attendance/days/flexible-balance.ts';
import { premiumsOf, toHalfHour } from '../../../../shared/attendance/days/premiums.ts';
import { daysToRead, daysTouchedBy } from '../../../../shared/attendance/days/reach.ts';
import { recordsOf } from '../../../../shared/attendance/days/records.ts';
import { rulesOf } from '../../../../shared/attendance/days/rules.ts';
import { totalsOf } from '../../../../shared/attendance/days/totals.ts';
import type { DatedTerms, MemberDays } from '../../../../shared/attendance/days/types.ts';
import { dateOf, dayOf } from '../../../../shared/kernel/local-time.ts';
import { member, organization, session, settings, terms, tokyo } from '../../../support/attended-days.ts';
import { attendedWeek } from '../../../support/attended-weeks.ts';

const TUE = '2026-10-06';
const days = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => dateOf(dayOf(first) + index));

describe('premiums', () => {
  test('25 percent to 60 hours of overtime, 50 beyond, 35 on legal holidays', () => {
    const sums = { statutory_overtime_minutes: 3_601, legal_holiday_minutes: 90, night_minutes: 29 };
    assert.deepEqual(premiumsOf(sums, '2026-10-31', 'half_hour'), {
      premium_25_minutes: 3_600,
      premium_50_minutes: 1,
      premium_35_minutes: 90,
      rounded_overtime_minutes: 3_600,
      rounded_legal_holiday_minutes: 120,
      rounded_night_minutes: 0,
    });
    assert.equal(premiumsOf(sums, '2026-10-31', 'none').rounded_night_minutes, 29);
  });

  test('half_hour cuts under 30 minutes and rounds the others up', () => {
    assert.deepEqual([0, 29, 30, 59, 60, 89, 90].map(toHalfHour), [0, 0, 60, 60, 60, 60, 120]);
  });
});

describe('totals of a period', () => {
  const asked = { period_end: '2026-10-31', monthly_rounding: 'none', flexible: null } as const;
  const records = recordsOf(
    rulesOf(organization()),
    member({
      sessions: [session('2026-10-01', '10:00-19:00 (13:00-14:00)')],
      leave: [
        {
          date: '2026-10-02',
          request_id: 'lreq_1',
          type: 'paid_annual',
          unit: 'full',
          start_time: null,
          hours: null,
        },
        {
          date: '2026-10-05',
          request_id: 'lreq_2',
          type: 'sick',
          unit: 'half_am',
          start_time: null,
          hours: null,
        },
      ],
    }),
    { from: '2026-10-01', to: '2026-10-31' },
  );

  test('count days of all kinds, absence as far as days are past', () => {
    const totals = totalsOf(records, { ...asked, today: '2026-10-08' });
    assert.deepEqual(
      [totals.workdays, totals.attended_days, totals.absence_days, totals.absence_minutes],
      [22, 1, 2, 300 + 2 * 480],
    );
    assert.deepEqual(totals.leave_days, { paid_annual: 1, sick: 0.5 });
    assert.equal(totalsOf(records, { ...asked, today: '2026-10-06' }).absence_days, 0);
  });

  test('of flexible hours say what is owed, worked, over and allowed', () => {
    const given = member({
      terms: [terms({ work_system: 'flexible' })],
      sessions: ['2026-10-01', '2026-10-03', '2026-10-04'].map((date) => session(date, '10:00-15:00')),
    });
    const rules = rulesOf(organization());
    const period = { month: '2026-10', start: '2026-10-01', end: '2026-10-31' };
    const made = recordsOf(rules, given, { from: period.start, to: period.end });
    assert.deepEqual(flexibleBalanceOf(plansOf(rules, given), period, made), {
      required_minutes: 10_560,
      worked_minutes: 600,
      balance_minutes: 600 - 10_560,
      limit_minutes: 10_628,
    });
    assert.equal(flexibleBalanceOf(plansOf(rules, member()), period, made), null);
  });

  test('are those of the days however the dates are asked for', () => {
    fc.assert(
      fc.property(attendedWeek('fixed'), fc.nat(6), ({ organization: rules, member: one, from, to }, cut) => {
        const made = rulesOf(rules);
        const whole = recordsOf(made, one, { from, to });
        const border = dateOf(dayOf(from) + cut);
        const parts = [
          ...recordsOf(made, one, { from, to: border }),
          ...recordsOf(made, one, { from: dateOf(dayOf(border) + 1), to }),
        ];
        assert.deepEqual(parts, whole);
      }),
      { numRuns: 60 },
    );
  });

  test('worked minutes are the sum of the five classes', () => {
    fc.assert(
      fc.property(attendedWeek('variable_monthly'), ({ organization: rules, member: one, from, to }) => {
        for (const day of recordsOf(rulesOf(rules), one, { from, to })) {
          assert.equal(
            day.worked_minutes,
            day.scheduled_minutes +
              day.non_statutory_overtime_minutes +
              day.prescribed_holiday_minutes +
              day.statutory_overtime_minutes +
              day.legal_holiday_minutes,
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('what a change of sessions touches', () => {
  test('its week; with flexible hours its period; the calendar days of the sessions', () => {
    const touched = (system: DatedTerms['work_system'], work_date: string, text: string) =>
      daysTouchedBy(
        plansOf(rulesOf(organization()), member({ terms: [terms({ work_system: system })] })),
        work_date,
        [session(work_date, text)],
      );
    assert.deepEqual(touched('fixed', TUE, '10:00-19:00'), { from: TUE, to: '2026-10-10' });
    assert.deepEqual(touched('flexible', TUE, '10:00-19:00'), { from: TUE, to: '2026-10-31' });
    assert.deepEqual(touched('fixed', '2026-10-10', '20:00-26:00'), { from: '2026-10-10', to: '2026-10-17' });
  });

  test('no other day changes, and what is read before a week is enough', () => {
    fc.assert(
      fc.property(
        attendedWeek('fixed'),
        fc.nat(100),
        ({ organization: rules, member: one, from, to }, pick) => {
          const made = rulesOf(rules);
          const read = daysToRead(made, { from, to });
          const within = one.sessions.filter(
            ({ work_date }) => read.from <= work_date && work_date <= read.to,
          );
          assert.deepEqual(
            recordsOf(made, { ...one, sessions: within }, { from, to }),
            recordsOf(made, one, { from, to }),
          );
          const closed = within.filter(({ clock_out_at }) => clock_out_at !== null);
          const gone = closed[pick % Math.max(1, closed.length)];
          if (!gone) return;
          const touched = daysTouchedBy(plansOf(made, one), gone.work_date, [gone]);
          const others = (given: MemberDays) =>
            recordsOf(made, given, { from, to }).filter(
              ({ work_date }) => work_date < touched.from || work_date > touched.to,
            );
          const rest = { ...one, sessions: one.sessions.filter((each) => each.work_date !== gone.work_date) };
          const kept = { ...one, sessions: [...rest.sessions, gone] };
          const unit = Math.max(...rules.settings.map(({ rounding }) => rounding.unit_minutes));
          if (unit === 1) assert.deepEqual(others(rest), others(kept));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('alerts', () => {
  const alerts = (
    last: string,
    given: Partial<MemberDays>,
    changes: Partial<Parameters<typeof alertsOf>[1]> = {},
  ): Alert[] =>
    alertsOf(
      recordsOf(rulesOf(organization()), member(given), { from: dateOf(dayOf(last) - 27), to: last }),
      {
        now: tokyo('2026-11-01', '00:00'),
        today: '2026-11-01',
        max_session_hours: 24,
        week_start: 0,
        newest_clock_in_at: null,
        recalculating: () => false,
        ...changes,
      },
    );
  const work = (dates: string[], text = '10:00-19:00 (13:00-14:00)') =>
    dates.map((date) => session(date, text));

  test('missing_clock_out and open_break: over the most hours, not while it runs', () => {
    const sessions = [session(TUE, '10:00- (12:00-)')];
    assert.deepEqual(alerts(TUE, { sessions }), ['missing_clock_out', 'open_break']);
    const running = { now: tokyo(TUE, '34:00'), today: '2026-10-07' };
    assert.deepEqual(alerts(TUE, { sessions }, running), []);
    assert.deepEqual(alerts(TUE, { sessions }, { ...running, newest_clock_in_at: tokyo(TUE, '30:00') }), [
      'missing_clock_out',
      'open_break',
    ]);
  });

  test('no_record: an absence day, once it is past', () => {
    assert.deepEqual(alerts(TUE, {}), ['no_record']);
    assert.deepEqual(alerts(TUE, {}, { today: TUE }), []);
  });

  test('break_shortage, auto_break_applied, overtime_not_approved, recalculating', () => {
    assert.deepEqual(alerts(TUE, { sessions: work([TUE], '10:00-17:00') }), ['break_shortage']);
    assert.deepEqual(alerts(TUE, { sessions: work([TUE], '10:00-20:00 (13:00-14:00)') }), [
      'overtime_not_approved',
    ]);
    const overtime = [
      { kind: 'after' as const, planned_start_at: tokyo(TUE, '19:00'), planned_end_at: tokyo(TUE, '20:00') },
    ];
    assert.deepEqual(alerts(TUE, { overtime, sessions: work([TUE], '10:00-20:00 (13:00-14:00)') }), []);
    assert.deepEqual(alerts(TUE, { sessions: work([TUE]) }, { recalculating: () => true }), [
      'recalculating',
    ]);
    const automatic = recordsOf(
      rulesOf(organization({ settings: [settings({ break_mode: 'auto_schedule' })] })),
      member({ sessions: work([TUE], '10:00-19:00') }),
      { from: TUE, to: TUE },
    );
    assert.equal(automatic[0]!.automatic_break_minutes, 60);
  });

  test('consecutive_days: over 13', () => {
    const has = (count: number) => {
      const dates = days('2026-10-01', count);
      return alerts(dates.at(-1)!, { sessions: work(dates) }).includes('consecutive_days');
    };
    assert.deepEqual([has(13), has(14)], [false, true]);
  });

  test('short_interval: under 11 hours', () => {
    const has = (text: string) =>
      alerts('2026-10-07', {
        sessions: [...work([TUE], '13:00-23:00 (15:00-16:00)'), session('2026-10-07', text)],
      }).includes('short_interval');
    assert.deepEqual([has('10:00-19:00 (13:00-14:00)'), has('9:59-19:00 (13:00-14:00)')], [false, true]);
  });

  test('no_legal_holiday: on the last day of a week without one, with fewer than four in four weeks', () => {
    const roster = (free: string[]) =>
      days('2026-09-06', 35).map((date) => ({
        date,
        day_type: free.includes(date) ? ('legal_holiday' as const) : ('workday' as const),
        schedule_id: null,
      }));
    const has = (last: string, free: string[]) =>
      alerts(last, { roster: roster(free) }).includes('no_legal_holiday');
    assert.equal(has('2026-10-03', []), true);
    assert.equal(has('2026-10-02', []), false);
    assert.equal(has('2026-10-03', ['2026-09-28']), false);
    assert.equal(has('2026-10-03', ['2026-09-07', '2026-09-08', '2026-09-09', '2026-09-14']), false);
    assert.equal(has('2026-10-03', ['2026-09-05', '2026-09-07', '2026-09-08', '2026-09-09']), true);
    assert.equal(
      alerts('2026-10-03', { roster: roster([]), terms: [terms({ work_system: 'exempt' })] }).includes(
        'no_legal_holiday',
      ),
      false,
    );
  });

  test('break_closed_by_clock_out', () => {
    const closed = session(TUE, '10:00-19:00 (18:00-19:00)');
    const breaks = [{ ...closed.breaks[0]!, is_closed_by_clock_out: true }];
    assert.deepEqual(alerts(TUE, { sessions: [{ ...closed, breaks }] }), ['break_closed_by_clock_out']);
  });
});
