import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bringsDuty, dutyWindows, fiveDayOn } from '../../../../shared/attendance/leave/rules/five-day.ts';
import { monthsAfter } from '../../../../shared/attendance/leave/rules/months.ts';
import { daysLater } from '../../../../shared/kernel/days.ts';
import { day } from './random-histories.ts';

const ten = (granted_on: string) => ({ granted_on, days: 10 });

describe('the duty to have five days taken', () => {
  it('comes with ten days or more', () => {
    assert.deepEqual(
      [9.5, 10, 10.5, 20].map((days) => bringsDuty({ granted_on: '2026-10-01', days })),
      [false, true, true, true],
    );
  });

  const table: [grants: string[], windows: [string, string, number, number][]][] = [
    [['2026-04-01'], [['2026-04-01', '2027-03-31', 12, 5]]],
    [
      ['2026-04-01', '2027-04-01'],
      [
        ['2026-04-01', '2027-03-31', 12, 5],
        ['2027-04-01', '2028-03-31', 12, 5],
      ],
    ],
    [['2026-04-01', '2026-08-01'], [['2026-04-01', '2027-07-31', 16, 7]]],
    [['2026-04-01', '2026-11-01'], [['2026-04-01', '2027-10-31', 19, 8]]],
    [['2026-10-01', '2027-04-01'], [['2026-10-01', '2028-03-31', 18, 7.5]]],
    // 17 months and 10 of 31 days: 7.22 days, up to the half.
    [['2025-10-22', '2026-04-01'], [['2025-10-22', '2027-03-31', 17.32, 7.5]]],
    [['2026-04-01', '2026-04-01'], [['2026-04-01', '2027-03-31', 12, 5]]],
    [['2026-04-01', '2027-03-31'], [['2026-04-01', '2028-03-30', 23.96, 10]]],
    [[], []],
  ];
  for (const [grants, windows] of table) {
    it(`for grants of ${grants.join(' and ') || 'no day'}`, () =>
      assert.deepEqual(
        dutyWindows(grants.map(ten)),
        windows.map(([window_start, window_end, months, required_days]) => ({
          window_start,
          window_end,
          months,
          required_days,
        })),
      ));
  }

  it('counts whole and half days within the window, both ends with it', () => {
    const taken = [
      { date: '2026-03-31', halves: 2 },
      { date: '2026-04-01', halves: 2 },
      { date: '2026-09-01', halves: 1 },
      { date: '2027-03-31', halves: 2 },
      { date: '2027-04-01', halves: 2 },
    ];
    assert.deepEqual(fiveDayOn([ten('2026-04-01')], taken, '2027-03-31'), {
      window_start: '2026-04-01',
      window_end: '2027-03-31',
      months: 12,
      required_days: 5,
      taken_days: 2.5,
      met: false,
    });
    assert.equal(fiveDayOn([ten('2026-04-01')], taken, '2027-04-01'), null);
    assert.equal(fiveDayOn([ten('2026-04-01')], taken, '2026-03-31'), null);
  });

  it('knows of a second grant from its day on', () => {
    const grants = [ten('2026-04-01'), ten('2026-08-01')];
    assert.equal(fiveDayOn(grants, [], '2026-07-31')!.window_end, '2027-03-31');
    assert.equal(fiveDayOn(grants, [], '2026-08-01')!.window_end, '2027-07-31');
  });

  it('is met by just what is required', () => {
    const taken = Array.from({ length: 5 }, (_, index) => ({ date: `2026-05-0${index + 1}`, halves: 2 }));
    assert.equal(fiveDayOn([ten('2026-04-01')], taken, '2026-12-01')!.met, true);
    assert.equal(fiveDayOn([ten('2026-04-01')], taken.slice(1), '2026-12-01')!.met, false);
  });

  it('has windows that follow each other and reach a year beyond each grant, with at least five days a year', () => {
    const grants = fc.array(fc.nat(2_000), { maxLength: 8 }).map((all) => all.map((one) => ten(day(one))));
    fc.assert(
      fc.property(grants, (all) => {
        const windows = dutyWindows(all);
        for (const [index, { window_start, window_end, months, required_days }] of windows.entries()) {
          const next = windows[index + 1];
          assert.ok(next === undefined || window_end < next.window_start);
          assert.ok(required_days * 12 >= months * 5 && required_days * 12 < months * 5 + 6.1);
          const within = all.filter((one) => window_start <= one.granted_on && one.granted_on <= window_end);
          const last = within
            .map(({ granted_on }) => granted_on)
            .toSorted()
            .at(-1)!;
          assert.equal(daysLater(window_end, 1), monthsAfter(last, 12));
        }
        for (const { granted_on } of all) {
          assert.equal(
            windows.filter((one) => one.window_start <= granted_on && granted_on <= one.window_end).length,
            1,
          );
        }
      }),
    );
  });
});
