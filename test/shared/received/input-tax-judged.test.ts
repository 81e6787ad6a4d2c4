import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type TaxCategory, taxRateOn } from '../../../shared/invoicing/tax/rates.ts';
import type { TaxRounding } from '../../../shared/invoicing/tax/rounding.ts';
import { inputTaxOf } from '../../../shared/received/input-tax/input-tax.ts';
import { taxRulesOfLaw } from '../../support/tax-rules.ts';

const PYTHON = '/usr/bin/python3';

/** The law by itself, in fractions: the share of a day, the rule of small amounts, one rounding of each tax. */
const PROGRAM = `
import json, sys
from fractions import Fraction
from math import floor

def share_on(day):
    if day < '2023-10-01': return 100
    if day < '2026-10-01': return 80
    if day < '2028-10-01': return 70
    if day < '2030-10-01': return 50
    if day < '2031-10-01': return 30
    return 0

def rate_on(category, day):
    if category == 'legacy_8': return 8
    if category == 'exempt': return 0
    if category == 'reduced': return 8
    return 10 if day >= '2019-10-01' else 8 if day >= '2014-04-01' else 5

def rounded(exact, rounding):
    size = abs(exact)
    whole = floor(size + Fraction(1, 2)) if rounding == 'round' else floor(size)
    return whole if exact >= 0 else -whole

answers = []
for day, category, gross, rounding, is_small_allowed in json.load(sys.stdin):
    rate = rate_on(category, day)
    inside = Fraction(gross * rate, 100 + rate)
    is_small = is_small_allowed and abs(gross) < 10000 and '2023-10-01' <= day <= '2029-09-30'
    share = 100 if is_small else share_on(day)
    answers.append([rate, share, rounded(inside, rounding), rounded(inside * share / 100, rounding)])
json.dump(answers, sys.stdout)
`;

type Asked = [day: string, TaxCategory, gross: number, TaxRounding | null, is_small_allowed: boolean];

describe('fractions say the same', () => {
  const first = Temporal.PlainDate.from('1998-01-01');
  const days = first.until('2034-12-31').days + 1;
  const gross = fc.oneof(
    fc.integer({ min: -12_000, max: 12_000 }),
    fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
  );
  const parts = fc.tuple(
    fc.constantFrom<TaxCategory>('standard', 'reduced', 'legacy_8', 'exempt'),
    gross,
    fc.constantFrom<TaxRounding | null>('floor', 'round', 'ceil', null),
    fc.boolean(),
  );
  // The amounts of a day are drawn by its place, so a day that fails does so again.
  const asked = fc
    .sample(parts, { numRuns: days, seed: 20_261_126 })
    .map(([category, ...rest], count): Asked => {
      const day = first.add({ days: count }).toString();
      return [day, taxRateOn(category, day) === null ? 'standard' : category, ...rest];
    });
  const judged: number[][] = JSON.parse(
    execFileSync(PYTHON, ['-c', PROGRAM], {
      input: JSON.stringify(asked),
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    }),
  );

  it('of every day from 1998 to 2034', () => {
    assert.equal(judged.length, 13_514);
    for (const [index, [day, tax_category, amount, rounding, small_amount_rule]] of asked.entries()) {
      const tax_rate = taxRateOn(tax_category, day)!;
      const sums = { net: BigInt(amount), tax: 0n, gross: BigInt(amount) };
      const rows = [{ tax_category, tax_rate, transaction_date: day, is_dated: false, ...sums }];
      const found = inputTaxOf(
        { rows, qualified: false, deduction_basis: 'auto' },
        { rules: taxRulesOfLaw, small_amount_rule, roundingOn: () => rounding },
      );
      const [own] = found.rows;
      assert.deepEqual(
        [own!.tax_rate, own!.share, own!.tax, own!.deductible],
        judged[index],
        JSON.stringify(asked[index]),
      );
      assert.equal(found.tax, found.deductible + found.non_deductible);
      assert.equal(amount, found.expense + found.deductible);
    }
  });
});
