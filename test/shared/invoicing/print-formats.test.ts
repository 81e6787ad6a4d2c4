import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, decimal, period, plainYen, yen } from '../../../shared/invoicing/print/formats.ts';

describe('amounts', () => {
  for (const [amount, ja, en] of [
    [0n, '¥0', '¥0'],
    [999n, '¥999', '¥999'],
    [1_000n, '¥1,000', '¥1,000'],
    [1_234_567n, '¥1,234,567', '¥1,234,567'],
    [999_999_999_999n, '¥999,999,999,999', '¥999,999,999,999'],
    [-1n, '▲¥1', '-¥1'],
    [-3_000n, '▲¥3,000', '-¥3,000'],
    [-999_999_999_999n, '▲¥999,999,999,999', '-¥999,999,999,999'],
  ] as const) {
    test(`${amount} yen are ${ja}, and ${en} in English`, () => {
      assert.equal(yen(amount, 'ja'), ja);
      assert.equal(yen(amount, 'en'), en);
      assert.equal(plainYen(amount, 'ja'), ja.replace('¥', ''));
      assert.equal(plainYen(amount, 'en'), en.replace('¥', ''));
    });
  }
});

describe('decimals', () => {
  for (const [text, ja, en] of [
    ['1', '1', '1'],
    ['12.500', '12.5', '12.5'],
    ['0.333', '0.333', '0.333'],
    ['1000.000', '1,000', '1,000'],
    ['12345678.123', '12,345,678.123', '12,345,678.123'],
    ['-0.5', '▲0.5', '-0.5'],
    ['-9999999999999.999', '▲9,999,999,999,999.999', '-9,999,999,999,999.999'],
    ['100', '100', '100'],
    ['1000', '1,000', '1,000'],
  ] as const) {
    test(`${text} is ${ja}, and ${en} in English`, () => {
      assert.equal(decimal(text, 'ja'), ja);
      assert.equal(decimal(text, 'en'), en);
    });
  }

  test('what is none is refused', () => {
    for (const text of ['', '1e3', 'NaN', '1,000', ' 1'])
      assert.throws(() => decimal(text, 'ja'), /no decimal/);
  });
});

describe('days', () => {
  for (const [text, ja, en] of [
    ['2026-04-01', '2026年4月1日', '1 April 2026'],
    ['2026-12-31', '2026年12月31日', '31 December 2026'],
    ['2028-02-29', '2028年2月29日', '29 February 2028'],
  ] as const) {
    test(`${text} is ${ja}, and ${en} in English`, () => {
      assert.equal(day(text, 'ja'), ja);
      assert.equal(day(text, 'en'), en);
    });
  }

  for (const [from, to, ja, en] of [
    ['2026-04-01', '2026-04-30', '2026年4月1日〜2026年4月30日', '1 – 30 April 2026'],
    ['2026-03-21', '2026-04-20', '2026年3月21日〜2026年4月20日', '21 March – 20 April 2026'],
    ['2025-12-21', '2026-01-20', '2025年12月21日〜2026年1月20日', '21 December 2025 – 20 January 2026'],
    ['2025-04-01', '2026-04-30', '2025年4月1日〜2026年4月30日', '1 April 2025 – 30 April 2026'],
    ['2026-04-01', '2026-04-01', '2026年4月1日', '1 April 2026'],
  ] as const) {
    test(`from ${from} to ${to} is ${ja}, and ${en} in English`, () => {
      assert.equal(period({ from, to }, 'ja'), ja);
      assert.equal(period({ from, to }, 'en'), en);
    });
  }
});
