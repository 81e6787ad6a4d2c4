import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type DueTerms, dueDate } from '../../../shared/invoicing/due-date.ts';

const terms = (closing_day: DueTerms['closing_day'], months_later: number, pay_day: DueTerms['pay_day']) => ({
  closing_day,
  months_later,
  pay_day,
});

describe('an invoice is due', () => {
  const table: [string, DueTerms, string, string][] = [
    ['at the end of the next month', terms('end', 1, 'end'), '2026-04-01', '2026-05-31'],
    ['at the end of a short month', terms('end', 1, 'end'), '2026-01-31', '2026-02-28'],
    ['in a leap year', terms('end', 1, 'end'), '2028-01-31', '2028-02-29'],
    ['on the 10th after the month after', terms('end', 2, 10), '2026-04-15', '2026-06-10'],
    ['on its closing day itself still in that period', terms(20, 1, 'end'), '2026-04-20', '2026-05-31'],
    ['a day after the closing day in the next period', terms(20, 1, 'end'), '2026-04-21', '2026-06-30'],
    ['in the month of closing', terms(15, 0, 'end'), '2026-04-10', '2026-04-30'],
    [
      'a month later where the pay day lies before the closing day',
      terms(20, 0, 10),
      '2026-04-10',
      '2026-05-10',
    ],
    ['over the turn of the year', terms(20, 1, 5), '2026-12-21', '2027-02-05'],
  ];
  for (const [words, given, issued, expected] of table) {
    it(`${words}: ${issued} gives ${expected}`, () => assert.equal(dueDate(issued, given), expected));
  }

  it('never before its closing day, nor more than months_later and two months later', () => {
    const days = fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constant('end' as const));
    const any = fc.record({ closing_day: days, months_later: fc.integer({ min: 0, max: 6 }), pay_day: days });
    const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(date, any, (day, given) => {
        const issued = Temporal.PlainDate.from(day.toISOString().slice(0, 10));
        const due = Temporal.PlainDate.from(dueDate(issued.toString(), given));
        const latest = issued.add({ months: given.months_later + 3 });
        assert.ok(Temporal.PlainDate.compare(due, issued) >= 0);
        assert.ok(Temporal.PlainDate.compare(due, latest) <= 0);
      }),
    );
  });
});
