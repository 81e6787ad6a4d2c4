import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import {
  bottomPosition,
  firstPosition,
  isGoodPosition,
  positionBetween,
  positionsBetween,
  standsBelow,
} from '../../../shared/crm/board-position.ts';

const now = new Date('2026-05-01T00:00:00.000Z');
const decimal = fc
  .tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, rest]) => new Big(`${whole}.${String(rest).padStart(6, '0')}`).toFixed());
const pair = fc
  .uniqueArray(decimal, { minLength: 2, maxLength: 2 })
  .map((two) => two.sort((left, right) => new Big(left).cmp(right)) as [string, string]);

function isBetween(position: string, above: string | null, below: string | null): boolean {
  return (above === null || new Big(position).gt(above)) && (below === null || new Big(position).lt(below));
}

describe('a position between two others', () => {
  const table: [string | null, string | null, string][] = [
    [null, null, '0'],
    [null, '5', '4'],
    [null, '-1.5', '-2'],
    ['5', null, '6'],
    ['-1.2', null, '-1'],
    ['1', '3', '2'],
    ['1', '2', '1.5'],
    ['1.5', '2', '1.7'],
  ];
  for (const [above, below, expected] of table) {
    it(`of ${above} and ${below} is ${expected}`, () => {
      assert.equal(positionBetween(above, below), expected);
    });
  }

  it('is always between them', () => {
    fc.assert(
      fc.property(pair, ([above, below]) => {
        for (const [one, other] of [
          [above, below],
          [null, below],
          [above, null],
        ] as const) {
          assert.ok(isBetween(positionBetween(one, other), one, other));
        }
      }),
    );
  });

  it('is not good where there is none, or where it is long', () => {
    assert.equal(isGoodPosition('5', '5', '5'), false);
    assert.equal(isGoodPosition('1.0000000000001', '1', '2'), false);
    assert.equal(isGoodPosition('1.5', '1', '2'), true);
    assert.equal(isGoodPosition('1.5', null, null), true);
  });
});

describe('positions evenly between two others', () => {
  it('stand in order, between them, with few decimals', () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 1, max: 200 }), ([above, below], count) => {
        for (const [one, other] of [
          [above, below],
          [null, below],
          [above, null],
          [null, null],
        ] as const) {
          const positions = positionsBetween(one, other, count);
          if (positions === null) {
            assert.ok(new Big(below).minus(above).lt(new Big('0.000001').times(count + 1)));
            continue;
          }
          assert.equal(positions.length, count);
          for (const [index, position] of positions.entries()) {
            assert.ok(isGoodPosition(position, positions[index - 1] ?? one, positions[index + 1] ?? other));
            assert.ok((position.split('.')[1] ?? '').length <= 7);
          }
        }
      }),
    );
  });

  it('are none where there is no room', () => {
    assert.equal(positionsBetween('5', '5', 1), null);
    assert.equal(positionsBetween('5', '5.000001', 1), null);
    assert.deepEqual(positionsBetween('5', '6', 3), ['5.2', '5.5', '5.7']);
  });
});

describe('the bottom of a stage', () => {
  it('is the time, or below the last deal where that stands deeper', () => {
    assert.equal(bottomPosition(null, now), firstPosition(now));
    assert.equal(bottomPosition('12.5', now), firstPosition(now));
    const later = String(now.getTime() + 10);
    assert.equal(bottomPosition(later, now), String(now.getTime() + 11));
    assert.equal(bottomPosition(firstPosition(now), now), String(now.getTime() + 1));
  });
});

describe('the order of the board', () => {
  it('is that of the positions as numbers, then of the IDs', () => {
    const at = (position: string, id = 'a') => ({ id, position });
    assert.equal(standsBelow(at('10'), at('9')), true);
    assert.equal(standsBelow(at('9'), at('10')), false);
    assert.equal(standsBelow(at('1.0', 'b'), at('1', 'a')), true);
    assert.equal(standsBelow(at('1', 'a'), at('1', 'b')), false);
  });
});
