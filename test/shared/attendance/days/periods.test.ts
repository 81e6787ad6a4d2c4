import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type ClosingRow,
  monthNumber,
  monthText,
  Periods,
  periodOfDate,
  periodOfMonth,
} from '../../../../shared/attendance/days/periods.ts';
import { dateOf, dayOf } from '../../../../shared/kernel/local-time.ts';

const row = (effective_from: string, closing_day: 'end' | number): ClosingRow => ({
  effective_from,
  closing_day,
});

describe('a closing period', () => {
  test('is the calendar month when it closes at the end', () => {
    const rows = [row('2020-01-01', 'end')];
    assert.deepEqual(periodOfMonth(rows, '2028-02'), {
      month: '2028-02',
      start: '2028-02-01',
      end: '2028-02-29',
    });
    assert.deepEqual(periodOfDate(rows, '2026-12-31').month, '2026-12');
  });

  test('of month M with closing_day 20 is the 21st of M - 1 to the 20th of M', () => {
    const rows = [row('2020-01-01', 20)];
    assert.deepEqual(periodOfMonth(rows, '2026-10'), {
      month: '2026-10',
      start: '2026-09-21',
      end: '2026-10-20',
    });
    assert.deepEqual(periodOfDate(rows, '2026-12-21'), {
      month: '2027-01',
      start: '2026-12-21',
      end: '2027-01-20',
    });
  });

  test('after a change begins on the day after the last one: October to the 31st, then 20: 1 to 20 November', () => {
    const rows = [row('2020-01-01', 'end'), row('2026-11-01', 20)];
    assert.deepEqual(periodOfMonth(rows, '2026-10'), {
      month: '2026-10',
      start: '2026-10-01',
      end: '2026-10-31',
    });
    assert.deepEqual(periodOfMonth(rows, '2026-11'), {
      month: '2026-11',
      start: '2026-11-01',
      end: '2026-11-20',
    });
    assert.deepEqual(periodOfMonth(rows, '2026-12'), {
      month: '2026-12',
      start: '2026-11-21',
      end: '2026-12-20',
    });
  });

  test('keeps its closing day when another one comes amid it', () => {
    const rows = [row('2020-01-01', 20), row('2026-10-01', 'end')];
    assert.equal(periodOfMonth(rows, '2026-10').end, '2026-10-20');
    assert.deepEqual(periodOfMonth(rows, '2026-11'), {
      month: '2026-11',
      start: '2026-10-21',
      end: '2026-11-30',
    });
  });

  test('follows the one before without hole or overlap, whatever changes', () => {
    const closing = fc.constantFrom<'end' | number>('end', 1, 5, 15, 20, 28);
    const changes = fc.array(fc.tuple(fc.nat(1_200), closing), { maxLength: 5 });
    fc.assert(
      fc.property(closing, changes, fc.nat(1_400), (first, later, offset) => {
        const start = dayOf('2024-01-01');
        const rows = [
          row('2020-01-01', first),
          ...later
            .toSorted(([one], [other]) => one - other)
            .map(([days, closing_day]) => row(dateOf(start + days), closing_day)),
        ];
        const day = start + offset;
        const period = new Periods(rows).ofDay(day);
        assert.ok(period.start <= day && day <= period.end);
        const walked = new Periods(rows);
        let [month, end] = [monthNumber('2023-11'), walked.ofMonth(monthNumber('2023-11')).end];
        while (end < day) {
          month += 1;
          const next = walked.ofMonth(month);
          assert.equal(next.start, end + 1);
          assert.equal(monthText(month), dateOf(next.end).slice(0, 7), 'a period ends in its month');
          end = next.end;
        }
        assert.deepEqual(period, walked.ofMonth(month));
      }),
      { numRuns: 300 },
    );
  });
});
