import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { agreementsOf } from '../../../../shared/attendance/days/agreements.ts';
import { type Limits, limitsOf } from '../../../../shared/attendance/days/limits.ts';
import { monthNumber, monthText } from '../../../../shared/attendance/days/periods.ts';
import type { Agreement } from '../../../../shared/attendance/days/types.ts';
import { settings } from '../../../support/attended-days.ts';

const agreement = (changes: Partial<Agreement> = {}): Agreement => ({
  effective_from: '2020-04-01',
  year_start_month: 4,
  special_clause: false,
  month_limit_minutes: 2_700,
  year_limit_minutes: 21_600,
  special_year_limit_minutes: 43_200,
  special_month_count: 6,
  ...changes,
});

/** The limits of the last of some months that follow each other to 2026-10: overtime, or overtime and legal holidays. */
function limits(
  months: (number | [number, number])[],
  changes: Partial<Agreement> = {},
  days: [number, number] = [0, 0],
): Limits {
  const last = monthNumber('2026-10');
  return limitsOf({
    month: '2026-10',
    months: months.map((one, index) => {
      const [overtime, holidays] = typeof one === 'number' ? [one, 0] : one;
      return {
        month: monthText(last - months.length + 1 + index),
        statutory_overtime_minutes: overtime,
        legal_holiday_minutes: holidays,
      };
    }),
    agreementOf: () => agreement(changes),
    workdays_done: days[0],
    workdays_left: days[1],
  });
}

const SPECIAL = { special_clause: true };

describe('article 36', () => {
  test('over 45 hours is over the month limit, not at it', () => {
    assert.equal(limits([2_700]).over_45h, false);
    assert.equal(limits([2_701]).over_45h, true);
    assert.equal(limits([2_701]).level, 'violation');
    assert.equal(limits([2_701], SPECIAL).level, 'ok');
    assert.equal(limits([1_801], { month_limit_minutes: 1_800 }).over_45h, true);
  });

  test('over 360 hours a year without special clause, over 720 with it', () => {
    const year = [2_700, 2_700, 2_700, 2_700, 2_700, 2_700, 2_700];
    assert.equal(limits(year).year_overtime_minutes, 18_900);
    const more = [3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 1];
    assert.deepEqual([limits(more).over_360h, limits(more).over_720h], [true, false]);
    assert.equal(limits([...more.slice(1), 0], SPECIAL).over_360h, false);
    assert.equal(
      limits([5_000, 5_000], { special_year_limit_minutes: 9_999, special_clause: true }).over_720h,
      true,
    );
  });

  test('the year begins with its month: March is of the year before', () => {
    const months = [1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000];
    assert.equal(limits(months).year_overtime_minutes, 7_000);
    assert.equal(limits(months, { year_start_month: 10 }).year_overtime_minutes, 1_000);
    assert.equal(limits(months, { year_start_month: 11 }).year_overtime_minutes, 8_000);
  });

  test('the seventh month over the limit violates a special clause of six', () => {
    const six = limits([2_701, 2_701, 2_701, 2_701, 2_701, 0, 2_701], SPECIAL);
    assert.deepEqual([six.months_over_45h, six.months_over_45h_violation], [6, false]);
    const seven = limits([2_701, 2_701, 2_701, 2_701, 2_701, 2_701, 2_701], SPECIAL);
    assert.deepEqual(
      [seven.months_over_45h, seven.months_over_45h_violation, seven.level],
      [7, true, 'violation'],
    );
  });

  test('100 hours with legal holidays are too many, a minute less is not', () => {
    assert.equal(limits([[2_000, 3_999]], SPECIAL).month_total_violation, false);
    assert.equal(limits([[2_000, 4_000]], SPECIAL).month_total_violation, true);
  });

  test('averages reach back to the first month and no further, are rounded up, and judge the sum', () => {
    const two = limits(
      [
        [4_800, 0],
        [4_801, 0],
      ],
      SPECIAL,
    );
    assert.deepEqual(two.averages, { 2: 4_801 });
    assert.deepEqual(two.average_violations, ['2']);
    assert.equal(two.level, 'violation');
    const three = limits([0, 4_800, 4_800], SPECIAL);
    assert.deepEqual(three.averages, { 2: 4_800, 3: 3_200 });
    assert.deepEqual(three.average_violations, []);
    assert.deepEqual(Object.keys(limits([1, 1, 1, 1, 1, 1, 1, 1], SPECIAL).averages), [
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    assert.deepEqual(limits([100]).averages, {});
  });

  test('600 minutes after 8 of 20 workdays: 1500 at the end of the month', () => {
    assert.equal(limits([600], {}, [8, 12]).projected_month_end_minutes, 1_500);
    assert.equal(limits([600], {}, [0, 20]).projected_month_end_minutes, 600);
    assert.equal(limits([601], {}, [7, 3]).projected_month_end_minutes, 601 + 257);
  });

  test('the tests that are listed, what each leaves, and the least of it', () => {
    assert.deepEqual(limits([1_000, [1_200, 300]]).tests, [
      { test: 'month', used_minutes: 1_200, limit_minutes: 2_700, left_minutes: 1_500 },
      { test: 'year', used_minutes: 2_200, limit_minutes: 21_600, left_minutes: 19_400 },
      { test: 'total', used_minutes: 1_500, limit_minutes: 5_999, left_minutes: 4_499 },
      { test: 'average_2', used_minutes: 2_500, limit_minutes: 9_600, left_minutes: 7_100 },
    ]);
    assert.equal(limits([1_000, [1_200, 300]]).minutes_left, 1_500);
    assert.equal(limits([3_000]).minutes_left, 0);
  });

  test('the month is no test while the special clause has months left', () => {
    const names = (months: number[]) => limits(months, SPECIAL).tests.map(({ test: name }) => name);
    assert.ok(!names([2_701, 2_701, 2_701, 2_701, 2_701, 0]).includes('month'));
    assert.ok(names([2_701, 2_701, 2_701, 2_701, 2_701, 2_701, 0]).includes('month'));
    assert.equal(limits([0], SPECIAL).tests[0]!.limit_minutes, 43_200);
  });

  test('a warning from 80 percent of a listed test, or when the projection would violate', () => {
    assert.equal(limits([2_159]).level, 'ok');
    assert.equal(limits([2_160]).level, 'warning');
    assert.equal(limits([1_400], {}, [10, 10]).level, 'warning');
    assert.equal(limits([1_350], {}, [10, 10]).level, 'ok');
  });

  test('agrees with sums by hand of any months', () => {
    const month = fc.tuple(fc.nat(4_500), fc.nat(2_000));
    fc.assert(
      fc.property(
        fc.array(month, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        (months, special_clause) => {
          const found = limits(months, { special_clause });
          const totals = months.map(([overtime, holidays]) => overtime + holidays);
          const year = months.slice(-7).map(([overtime]) => overtime);
          const over = year.filter((overtime) => overtime > 2_700).length;
          const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
          const violations = [2, 3, 4, 5, 6].filter(
            (count) => totals.length >= count && sum(totals.slice(-count)) > 4_800 * count,
          );
          assert.equal(found.year_overtime_minutes, sum(year));
          assert.equal(found.months_over_45h, over);
          assert.deepEqual(found.average_violations, violations.map(String));
          for (const [count, average] of Object.entries(found.averages)) {
            const exact = sum(totals.slice(-Number(count)));
            assert.ok(average * Number(count) >= exact && (average - 1) * Number(count) < exact);
          }
          const violates =
            totals.at(-1)! >= 6_000 ||
            violations.length > 0 ||
            sum(year) > 43_200 ||
            over > 6 ||
            (!special_clause && (year.at(-1)! > 2_700 || sum(year) > 21_600));
          assert.equal(found.level === 'violation', violates);
          assert.ok(
            found.tests.every(
              ({ used_minutes, limit_minutes, left_minutes }) =>
                used_minutes + left_minutes === limit_minutes,
            ),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test('more overtime never makes a month look better', () => {
    const order = ['ok', 'warning', 'violation'];
    fc.assert(
      fc.property(
        fc.array(fc.nat(6_000), { minLength: 1, maxLength: 8 }),
        fc.nat(500),
        fc.nat(20),
        (months, more, done) => {
          const worse = [...months.slice(0, -1), months.at(-1)! + more];
          const [one, other] = [limits(months, SPECIAL, [done, 5]), limits(worse, SPECIAL, [done, 5])];
          assert.ok(order.indexOf(one.level) <= order.indexOf(other.level));
          assert.ok(one.minutes_left >= other.minutes_left);
          assert.ok(one.projected_month_end_minutes <= other.projected_month_end_minutes);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('agreements', () => {
  test('hold from the first period that begins on or after their date', () => {
    const later = agreement({ effective_from: '2026-10-10', special_clause: true });
    const of = agreementsOf([settings({ agreements: [agreement(), later] })]);
    assert.equal(of('2026-10').special_clause, false);
    assert.equal(of('2026-11').special_clause, true);
    const on20 = agreementsOf([settings({ closing_day: 20, agreements: [agreement(), later] })]);
    assert.equal(on20('2026-10').special_clause, false);
    assert.equal(on20('2026-11').special_clause, true);
  });

  test('are those of the law where there are none', () => {
    assert.deepEqual(agreementsOf([settings()])('2026-10'), agreement({ effective_from: '2019-04-01' }));
  });
});
