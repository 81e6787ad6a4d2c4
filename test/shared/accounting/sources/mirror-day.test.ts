import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lastOpenDay, type OpenDays } from '../../../../shared/accounting/sources/mirror-day.ts';
import { dayBefore } from '../../../../shared/accounting/years/days.ts';

const START = Temporal.PlainDate.from('2025-01-01');

const dayAt = (n: number) => START.add({ days: n }).toString();

/** Years of thirty days in a row, of which some are missing and some are closed, and locks over any of their days. */
const calendar: fc.Arbitrary<OpenDays> = fc.record({
  years: fc
    .array(fc.constantFrom('open' as const, 'closed' as const, 'missing' as const), { maxLength: 5 })
    .map((statuses) =>
      statuses.flatMap((status, n) =>
        status === 'missing' ? [] : [{ start_date: dayAt(n * 30), end_date: dayAt(n * 30 + 29), status }],
      ),
    ),
  locks: fc.array(
    fc.tuple(fc.option(fc.nat(170)), fc.nat(170)).map(([from, to]) => {
      const [first, last] = from !== null && from > to ? [to, from] : [from, to];
      return { from: first === null ? null : dayAt(first), to: dayAt(last) };
    }),
    { maxLength: 5 },
  ),
});

/** The same, day by day. */
function byDays({ years, locks }: OpenDays, earliest: string, latest: string): string | null {
  for (let day = latest; day >= earliest; day = dayBefore(day)) {
    const year = years.find(({ start_date, end_date }) => start_date <= day && day <= end_date);
    const isLocked = locks.some(({ from, to }) => (from === null || from <= day) && day <= to);
    if (year?.status === 'open' && !isLocked) return day;
  }
  return null;
}

test('the last open day is the one that is found day by day', () => {
  fc.assert(
    fc.property(calendar, fc.nat(170), fc.nat(170), (open, one, other) => {
      const [earliest, latest] = [dayAt(Math.min(one, other)), dayAt(Math.max(one, other))];
      assert.equal(lastOpenDay(open, earliest, latest), byDays(open, earliest, latest));
    }),
    { numRuns: 1_000 },
  );
});
