import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type LineValues, splitTax, type TaxRules } from '../../../../shared/accounting/tax/auto-tax.ts';
import { taxCategories, taxCategory } from '../../../../shared/accounting/tax/categories.ts';

const floor: TaxRules = { tax_books: 'exclusive', tax_rounding: 'floor' };
const round: TaxRules = { ...floor, tax_rounding: 'round' };
const ceil: TaxRules = { ...floor, tax_rounding: 'ceil' };

function debit(amount: number, tax_category: string): LineValues {
  return { debit: amount, credit: 0, tax_category, company_id: null, department_id: null, description: null };
}

/** The amounts of the split, the tax last. */
function amounts(gross: number, code: string, rules: TaxRules): number[] {
  return splitTax(debit(gross, code), rules).map((line) => line.debit + line.credit);
}

describe('the tax within a gross amount', () => {
  const table: [gross: number, code: string, floor: number, round: number, ceil: number][] = [
    [110_000, 'P10T70', 7_000, 7_000, 7_000],
    [1_234, 'P10T70', 78, 79, 78],
    [1_079, 'P8RT80', 63, 64, 63],
    [1_999, 'S8R', 148, 148, 149],
    [55_000, 'P10T80', 4_000, 4_000, 4_000],
    [660, 'P10', 60, 60, 60],
    [110, 'S10', 10, 10, 10],
    [104, 'S10', 9, 9, 10],
    [105, 'S10', 9, 10, 10],
    [105, 'P10', 9, 10, 9],
    [105, 'PR10', 9, 10, 9],
    [105, 'PC10', 9, 10, 9],
    [105, 'PN10', 9, 10, 9],
    [105, 'SR10', 9, 10, 10],
    [105, 'SB10', 9, 10, 10],
    [108, 'S8', 8, 8, 8],
    [1_079, 'P8T50', 39, 40, 39],
    [110_000, 'PC10T30', 3_000, 3_000, 3_000],
    [110_000, 'PN10T50', 5_000, 5_000, 5_000],
    [1_080, 'PR8RT30', 24, 24, 24],
    [999_999_999_999, 'S10', 90_909_090_909, 90_909_090_909, 90_909_090_909],
    [999_999_999_998, 'S10', 90_909_090_908, 90_909_090_909, 90_909_090_909],
    [999_999_999_999, 'P8RT30', 22_222_222_222, 22_222_222_222, 22_222_222_222],
  ];
  for (const [gross, code, ...taxes] of table) {
    it(`of ${gross} ${code} is ${taxes.join(', ')}`, () => {
      assert.deepEqual(
        [floor, round, ceil].map((rules) => amounts(gross, code, rules)),
        taxes.map((tax) => [gross - tax, tax]),
      );
    });
  }

  it('is rounded half up where it is half a yen', () => {
    // 55 x 10 x 70 / 11,000 = 3.5
    assert.deepEqual(
      [floor, round, ceil].map((rules) => amounts(55, 'P10T70', rules)),
      [
        [52, 3],
        [51, 4],
        [52, 3],
      ],
    );
  });
});

describe('a line is not split', () => {
  for (const code of ['SX', 'SE', 'SN', 'PE', 'O']) {
    it(`of ${code}, which has no tax`, () => {
      for (const rules of [floor, round, ceil]) assert.deepEqual(amounts(110_000, code, rules), [110_000]);
    });
  }

  it('whose tax rounds to 0', () => {
    assert.deepEqual(amounts(10, 'S10', floor), [10]);
    assert.deepEqual(amounts(11, 'S10', floor), [10, 1]);
    assert.deepEqual(amounts(5, 'S10', round), [5]);
    assert.deepEqual(amounts(6, 'S10', round), [5, 1]);
    assert.deepEqual(amounts(10, 'P10', ceil), [10]);
  });

  it('whose tax would be the whole amount', () => {
    for (const code of ['S10', 'S8R', 'SR10', 'SB8']) {
      assert.deepEqual(amounts(1, code, ceil), [1]);
      assert.deepEqual(amounts(2, code, ceil), [1, 1]);
    }
  });

  it('in books that hold amounts with tax', () => {
    const line = debit(110_000, 'P10');
    assert.deepEqual(splitTax(line, { ...floor, tax_books: 'inclusive' }), [line]);
  });
});

describe('the line of the tax', () => {
  const line = {
    account_id: 'acc_1',
    debit: 0,
    credit: 110_000,
    tax_category: 'S10',
    company_id: 'comp_1',
    department_id: 'dep_1',
    description: 'Beans',
  };

  it('has the side, category, company and department of its line, which keeps all but its amount', () => {
    const { company_id, department_id, tax_category } = line;
    assert.deepEqual(splitTax(line, floor), [
      { ...line, credit: 100_000 },
      {
        place: 'output_tax',
        debit: 0,
        credit: 10_000,
        tax_category,
        company_id,
        department_id,
        description: null,
      },
    ]);
  });

  it('stands on output tax for sales, their returns and bad debts, on input tax for purchases', () => {
    for (const { code, side, rate } of taxCategories) {
      const [, tax] = splitTax({ ...line, tax_category: code }, floor);
      assert.equal(tax?.place, rate === 0 ? undefined : side === 'sales' ? 'output_tax' : 'input_tax', code);
    }
  });
});

describe('for any line', () => {
  const gross = fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 999_999_999_999 }),
    fc.integer({ min: 999_999_990_000, max: 999_999_999_999 }),
  );
  const code = fc.constantFrom(...taxCategories.map((category) => category.code));
  const rules = fc.constantFrom(floor, round, ceil);

  it('the split adds up to the gross amount on its side, in lines of 1 yen or more', () => {
    fc.assert(
      fc.property(gross, code, rules, fc.boolean(), (amount, tax_category, how, isCredit) => {
        const whole = debit(amount, tax_category);
        const lines = splitTax(isCredit ? { ...whole, debit: 0, credit: amount } : whole, how);
        const sum = (side: 'debit' | 'credit') => lines.reduce((total, line) => total + line[side], 0);
        assert.deepEqual([sum('debit'), sum('credit')], isCredit ? [0, amount] : [amount, 0]);
        for (const line of lines) assert.ok(line.debit + line.credit >= 1);
      }),
      { numRuns: 1_000 },
    );
  });

  it('the tax is the exact one, rounded as the rules say; up never on purchases', () => {
    fc.assert(
      fc.property(gross, code, rules, (amount, tax_category, how) => {
        const { rate, deductible_percent, side } = taxCategory(tax_category);
        const [, line] = splitTax(debit(amount, tax_category), how);
        const exact = BigInt(amount) * BigInt(rate) * BigInt(deductible_percent);
        const denominator = 100n * (100n + BigInt(rate));
        if (!line) {
          const isWhole = how === ceil && side === 'sales' && rate > 0 && amount === 1;
          assert.ok(isWhole || (how === round ? 2n : 1n) * exact < denominator);
          return;
        }
        const off = BigInt(line.debit) * denominator - exact;
        if (how === round) assert.ok(2n * off <= denominator && 2n * off > -denominator);
        else if (how === ceil && side === 'sales') assert.ok(off >= 0n && off < denominator);
        else assert.ok(off <= 0n && off > -denominator);
      }),
      { numRuns: 1_000 },
    );
  });
});
