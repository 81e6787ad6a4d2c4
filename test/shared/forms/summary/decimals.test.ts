import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mean, middle, percentage, quotient } from '../../../../shared/forms/summary/decimals.ts';

test('percents and scores have one decimal, half away from zero', () => {
  for (const [part, all, percent] of [
    [7 - 4, 13, '23.1'],
    [2 - 5, 8, '-37.5'],
    [5, 8, '62.5'],
    [1, 3, '33.3'],
    [2, 3, '66.7'],
    [1, 16, '6.3'],
    [-1, 16, '-6.3'],
    [0, 5, '0.0'],
    [-1, 10_000, '0.0'],
    [3, 3, '100.0'],
    [0, 0, '0.0'],
  ] as const) {
    assert.equal(percentage(part, all), percent, `${part} of ${all}`);
  }
});

test('means and medians have two decimals', () => {
  assert.equal(mean('5', 3), '1.67');
  assert.equal(mean('-5', 3), '-1.67');
  assert.equal(mean('0.015', 1), '0.02');
  assert.equal(mean('-0.015', 1), '-0.02');
  assert.equal(mean('999999999999999.999999', 1), '1000000000000000.00');
  assert.equal(middle('2', '2'), '2.00');
  assert.equal(middle('1', '2'), '1.50');
  assert.equal(middle('-0.01', '0'), '-0.01');
});

test('a quotient is no further from the exact one than half of its last digit', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.bigInt(1n, 10n ** 9n), (dividend, divisor) => {
      const hundredths = BigInt(quotient(dividend, divisor, 2).replace('.', ''));
      const twice = 2n * (dividend * 100n - hundredths * divisor);
      assert.ok(twice <= divisor && -twice <= divisor);
      if (twice === divisor || -twice === divisor)
        assert.ok(hundredths * hundredths * divisor * divisor >= (dividend * 100n) ** 2n);
    }),
  );
});
