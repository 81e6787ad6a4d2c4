import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Span, withoutSpans } from '../../../../shared/scheduler/calendars/live/spans.ts';

const span = (start: number, end: number): Span => ({ start, end });

const cases: [string, Span[], Span[], Span[]][] = [
  ['nothing is taken', [span(1, 5)], [], [span(1, 5)]],
  ['all of it', [span(1, 5)], [span(1, 5)], []],
  ['more than all', [span(2, 4)], [span(1, 5)], []],
  ['the beginning', [span(1, 5)], [span(0, 2)], [span(2, 5)]],
  ['the end', [span(1, 5)], [span(4, 9)], [span(1, 4)]],
  ['the middle', [span(1, 9)], [span(3, 5)], [span(1, 3), span(5, 9)]],
  ['what only touches', [span(1, 5)], [span(5, 6), span(0, 1)], [span(1, 5)]],
];

describe('spans without others', () => {
  for (const [what, spans, removed, left] of cases) {
    test(what, () => assert.deepEqual(withoutSpans(spans, removed), left));
  }

  test('have the instants that are in them and in none of the others', () => {
    const spans = fc.array(
      fc
        .tuple(fc.nat(30), fc.integer({ min: 1, max: 10 }))
        .map(([start, length]) => span(start, start + length)),
      { maxLength: 6 },
    );
    const holds = (all: readonly Span[], at: number) => all.some(({ start, end }) => start <= at && at < end);
    fc.assert(
      fc.property(spans, spans, (all, removed) => {
        const left = withoutSpans(all, removed);
        for (let at = 0; at < 45; at += 1) {
          assert.equal(holds(left, at), holds(all, at) && !holds(removed, at));
        }
      }),
    );
  });
});
