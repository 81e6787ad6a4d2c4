import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { segmentsOf } from '../../../../shared/accounting/reports/segments.ts';

const day = (n: number) => Temporal.PlainDate.from('2023-11-01').add({ days: n }).toString();

/** How often the sums of a span count a day. */
function weightOf(date: string, { months, edges }: ReturnType<typeof segmentsOf>): number {
  let weight = 0;
  if (months && (months.from === null || date >= months.from) && date < months.end) weight += 1;
  for (const { from, to, sign } of edges) if (from <= date && date <= to) weight += sign;
  return weight;
}

describe('the sums that make up a span', () => {
  test('count each of its days once and no other, with a leap year among them', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), fc.boolean(), (start, length, isOpen) => {
        const [from, to] = [isOpen ? null : day(start), day(start + length)];
        const segments = segmentsOf({ from, to });
        for (let n = 0; n <= 1_100; n += 1) {
          const isWithin = (from === null || day(n) >= from) && day(n) <= to;
          assert.equal(weightOf(day(n), segments), isWithin ? 1 : 0, `${day(n)} in ${from} to ${to}`);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('read at most half a month at each end', () => {
    const count = (from: string, to: string) =>
      segmentsOf({ from, to }).edges.reduce(
        (sum, edge) => sum + Temporal.PlainDate.from(edge.from).until(edge.to).days + 1,
        0,
      );
    assert.equal(count('2025-01-01', '2025-12-31'), 0);
    assert.equal(count('2025-01-05', '2025-11-20'), 4 + 10);
    assert.equal(count('2025-03-02', '2025-03-30'), 2);
    assert.equal(count('2025-03-10', '2025-03-12'), 3);
  });
});
