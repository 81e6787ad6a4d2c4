import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { leaveTables } from '../../../../shared/attendance/leave/rules/law.ts';
import { monthsAfter, monthsWithin } from '../../../../shared/attendance/leave/rules/months.ts';
import {
  daysOf,
  expiryOf,
  grantDatesBetween,
  nextGrantDate,
  periodBefore,
  tableFor,
} from '../../../../shared/attendance/leave/rules/statutory.ts';
import { daysLater } from '../../../../shared/kernel/days.ts';

const days = fc
  .date({ min: new Date('2001-04-01'), max: new Date('2045-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('the days of grants', () => {
  it('are counted from the hire; a day that the month lacks becomes the next first', () => {
    assert.deepEqual(
      grantDatesBetween('2027-08-29', '2027-08-29', '2032-12-31').map(({ granted_on }) => granted_on),
      ['2028-02-29', '2029-03-01', '2030-03-01', '2031-03-01', '2032-02-29'],
    );
  });

  const expiries: [granted_on: string, expires_on: string][] = [
    ['2028-02-29', '2030-02-28'],
    ['2029-03-01', '2031-02-28'],
    ['2032-02-29', '2034-02-28'],
    ['2026-10-01', '2028-09-30'],
    ['2026-03-01', '2028-02-29'],
    ['2026-05-31', '2028-05-30'],
  ];
  for (const [granted_on, expires_on] of expiries) {
    it(`of ${granted_on} end with ${expires_on}`, () => assert.equal(expiryOf(granted_on), expires_on));
  }

  it('have the number and the months of service', () => {
    assert.deepEqual(grantDatesBetween('2024-04-01', '2025-01-01', '2026-10-01'), [
      { granted_on: '2025-10-01', grant_index: 1, service_months: 18 },
      { granted_on: '2026-10-01', grant_index: 2, service_months: 30 },
    ]);
    assert.deepEqual(grantDatesBetween('2026-04-01', '2026-04-01', '2026-09-30'), []);
  });

  it('are the next one after a day, also before the hire', () => {
    assert.equal(nextGrantDate('2024-04-01', '2026-10-01').granted_on, '2027-10-01');
    assert.equal(nextGrantDate('2024-04-01', '2026-09-30').granted_on, '2026-10-01');
    assert.equal(nextGrantDate('2026-08-31', '2026-01-01').granted_on, '2027-03-01');
  });

  it('have the time of attendance since the one before, or the hire', () => {
    const dates = grantDatesBetween('2027-08-29', '2027-08-29', '2030-03-01');
    assert.deepEqual(
      dates.map((date) => periodBefore(date, '2027-08-29')),
      ['2027-08-29', '2028-02-29', '2029-03-01'],
    );
  });

  it('come one a year for every hire, in order, the next one among them', () => {
    fc.assert(
      fc.property(days, days, (hired_on, day) => {
        const dates = grantDatesBetween(hired_on, hired_on, monthsAfter(hired_on, 120));
        assert.equal(dates.length, 10);
        assert.deepEqual(
          dates,
          dates.toSorted((a, b) => (a.granted_on < b.granted_on ? -1 : 1)),
        );
        const next = nextGrantDate(hired_on, day);
        assert.ok(next.granted_on > day);
        const between = grantDatesBetween(hired_on, daysLater(day, 1), next.granted_on);
        assert.deepEqual(between, [next]);
      }),
    );
  });
});

describe('months', () => {
  const table: [first: string, last: string, months: number, rest: number, of: number][] = [
    ['2026-04-01', '2027-07-31', 16, 0, 31],
    ['2025-10-22', '2027-03-31', 17, 10, 31],
    ['2026-01-31', '2026-02-28', 1, 0, 30],
    ['2026-01-15', '2026-01-15', 0, 1, 31],
  ];
  for (const [first, last, months, rest, of] of table) {
    it(`from ${first} to ${last} are ${months} and ${rest} of ${of} days`, () =>
      assert.deepEqual(monthsWithin(first, last), { months, rest, of }));
  }
});

describe('the table of the law', () => {
  const terms: [hours: number | null, weekly: number | null, annual: number | null, table: string][] = [
    [40, 5, null, 'full'],
    [30, 4, null, 'full'],
    [30, 1, null, 'full'],
    [29, 4, null, 'four_days'],
    [20, 5, null, 'full'],
    [20, 6, null, 'full'],
    [29.9, 3, 217, 'three_days'],
    [20, 2, null, 'two_days'],
    [8, 1, null, 'one_day'],
    [0, 0, 217, 'none'],
    [20, null, 217, 'full'],
    [20, null, 216, 'four_days'],
    [20, null, 169, 'four_days'],
    [20, null, 168, 'three_days'],
    [20, null, 121, 'three_days'],
    [20, null, 120, 'two_days'],
    [20, null, 73, 'two_days'],
    [20, null, 72, 'one_day'],
    [20, null, 48, 'one_day'],
    [20, null, 47, 'none'],
    [null, null, null, 'none'],
  ];
  for (const [weekly_hours, weekly_days, annual_days, table] of terms) {
    it(`is ${table} for ${weekly_hours} hours, ${weekly_days} days a week, ${annual_days} a year`, () =>
      assert.equal(tableFor({ weekly_hours, weekly_days, annual_days }, '2026-10-01'), table));
  }

  const rows = {
    full: [10, 11, 12, 14, 16, 18, 20, 20, 20],
    four_days: [7, 8, 9, 10, 12, 13, 15, 15, 15],
    three_days: [5, 6, 6, 8, 9, 10, 11, 11, 11],
    two_days: [3, 4, 4, 5, 6, 6, 7, 7, 7],
    one_day: [1, 2, 2, 2, 3, 3, 3, 3, 3],
    none: [0, 0, 0, 0, 0, 0, 0, 0, 0],
  };
  for (const table of leaveTables) {
    it(`grants ${rows[table].join(', ')} by ${table}`, () => {
      const dates = grantDatesBetween('2020-04-01', '2020-04-01', '2028-10-01');
      assert.deepEqual(
        dates.map((date) => daysOf(date, table)),
        rows[table],
      );
    });
  }
});
