import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TaxDisplayMode } from '../../../shared/invoicing/tax/breakdown.ts';
import { lineAmount, partAmount } from '../../../shared/invoicing/tax/line-amount.ts';
import { changesWithin, type TaxCategory, taxRateOn } from '../../../shared/invoicing/tax/rates.ts';
import type { TaxRounding } from '../../../shared/invoicing/tax/rounding.ts';
import { type CountedLine, totalsOf } from '../../../shared/invoicing/tax/totals.ts';
import { withholdingTax } from '../../../shared/invoicing/tax/withholding.ts';

type Sold = [quantity: string, unit_price: string, tax_category: TaxCategory];

const DAY = '2026-04-01';

function linesOf(sold: readonly Sold[], withholding = false): CountedLine[] {
  return sold.map(([quantity, unit_price, tax_category]) => ({
    tax_category,
    tax_rate: taxRateOn(tax_category, DAY)!,
    amount: lineAmount(quantity, unit_price),
    withholding,
  }));
}

describe('the tax of a document', () => {
  const roundings: TaxRounding[] = ['round', 'floor', 'ceil'];
  /** Per rounding: the taxes by category, standard first, then the total when exclusive and the net when inclusive. */
  const table: { sold: Sold[]; exclusive: [number[], number][]; inclusive: [number[], number][] }[] = [
    {
      sold: [
        ['3', '627', 'reduced'],
        ['1', '6600', 'standard'],
      ],
      exclusive: [
        [[660, 150], 9_291],
        [[660, 150], 9_291],
        [[660, 151], 9_292],
      ],
      inclusive: [
        [[600, 139], 7_742],
        [[600, 139], 7_742],
        [[600, 140], 7_741],
      ],
    },
    {
      sold: [
        ['167', '83', 'reduced'],
        ['67', '197', 'reduced'],
        ['77', '57', 'standard'],
        ['417', '57', 'standard'],
      ],
      exclusive: [
        [[2_816, 2_165], 60_199],
        [[2_815, 2_164], 60_197],
        [[2_816, 2_165], 60_199],
      ],
      inclusive: [
        [[2_560, 2_004], 50_654],
        [[2_559, 2_004], 50_655],
        [[2_560, 2_005], 50_653],
      ],
    },
    {
      sold: [
        ['2.5', '333', 'standard'],
        ['0.333', '1000', 'reduced'],
      ],
      exclusive: [
        [[83, 27], 1_275],
        [[83, 26], 1_274],
        [[84, 27], 1_276],
      ],
      inclusive: [
        [[76, 25], 1_064],
        [[75, 24], 1_066],
        [[76, 25], 1_064],
      ],
    },
    {
      sold: [['-1', '999', 'standard']],
      exclusive: [
        [[-100], -1_099],
        [[-99], -1_098],
        [[-100], -1_099],
      ],
      inclusive: [
        [[-91], -908],
        [[-90], -909],
        [[-91], -908],
      ],
    },
  ];
  for (const { sold, ...modes } of table) {
    for (const [display_mode, expected] of Object.entries(modes) as [
      TaxDisplayMode,
      [number[], number][],
    ][]) {
      for (const [index, rounding] of roundings.entries()) {
        const words = sold.map(([quantity, price, category]) => `${quantity} x ${price} ${category}`);
        it(`of ${words.join('; ')}, ${display_mode}, ${rounding}`, () => {
          const rules = { display_mode, rounding, withholding_mode: 'none' } as const;
          const { tax_breakdown, subtotal, total } = totalsOf(linesOf(sold), rules);
          const taxes = tax_breakdown.map(({ tax }) => Number(tax));
          const shown = Number(display_mode === 'exclusive' ? total : subtotal);
          assert.deepEqual([taxes, shown], expected[index]);
        });
      }
    }
  }
});

describe('the amount of a line', () => {
  const table: Sold[] = [
    ['2.5', '333', 'standard'],
    ['0.333', '1000', 'standard'],
    ['-0.5', '333', 'standard'],
    ['99999999.999', '9999999999999.999', 'standard'],
  ];
  const amounts = [832n, 333n, -166n, 999_999_999_989_999_900_000n];
  for (const [index, [quantity, price]] of table.entries()) {
    it(`${quantity} x ${price} is ${amounts[index]}, its fractions cut toward zero`, () => {
      assert.equal(lineAmount(quantity, price), amounts[index]);
    });
  }

  it('is what its parts add up to', () => {
    const parts = [
      partAmount('0', '0.5', '333'),
      partAmount('0.5', '0.7', '333'),
      partAmount('1.2', '1.3', '333'),
    ];
    assert.deepEqual(parts, [166n, 233n, 433n]);
    assert.equal(parts[0]! + parts[1]! + parts[2]!, lineAmount('2.5', '333'));
  });

  it('refuses what the schemas let nobody send', () => {
    for (const wrong of ['1e3', '', '1.2345', 'NaN', '--1', '1.']) {
      assert.throws(() => lineAmount(wrong, '1'), /no decimal/, wrong);
    }
  });
});

describe('the rate of a category', () => {
  const table: [TaxCategory, string, number | null][] = [
    ['standard', '2019-10-01', 10],
    ['standard', '2019-09-30', 8],
    ['standard', '2014-04-01', 8],
    ['standard', '2014-03-31', 5],
    ['standard', '1997-03-31', 3],
    ['standard', '1989-04-01', 3],
    ['standard', '1989-03-31', null],
    ['reduced', '2019-10-01', 8],
    ['reduced', '2019-09-30', null],
    ['legacy_8', '2026-04-01', 8],
    ['zero_rated', '1980-01-01', 0],
    ['exempt', '2026-04-01', 0],
    ['out_of_scope', '2026-04-01', 0],
  ];
  for (const [category, day, percent] of table) {
    it(`${category} on ${day} is ${percent === null ? 'not in force' : `${percent} %`}`, () => {
      assert.equal(taxRateOn(category, day), percent);
    });
  }

  it('changes within a period or not', () => {
    assert.equal(changesWithin('standard', '2019-09-15', '2019-10-14'), true);
    assert.equal(changesWithin('standard', '2019-10-01', '2019-10-31'), false);
    assert.equal(changesWithin('reduced', '2019-09-30', '2019-10-01'), true);
    assert.equal(changesWithin('exempt', '1980-01-01', '2026-01-01'), false);
  });
});

describe('withholding', () => {
  const table: [number, number][] = [
    [100_000, 10_210],
    [1_000_000, 102_100],
    [1_000_001, 102_100],
    [1_000_005, 102_101],
    [1_100_000, 122_520],
    [99, 10],
    [0, 0],
    [-100_000, 0],
  ];
  const rules = { display_mode: 'exclusive', rounding: 'floor' } as const;
  for (const [base, withheld] of table) {
    it(`of a base of ${base} is ${withheld}`, () => {
      const lines = linesOf([['1', String(base), 'out_of_scope']], true);
      assert.equal(withholdingTax(lines, 'net', rules), BigInt(withheld));
    });
  }

  it('lowers what is due and not the total', () => {
    const lines = linesOf([['1', '300000', 'standard']], true);
    const totals = totalsOf(lines, { ...rules, withholding_mode: 'net' });
    const { total, withholding_tax, amount_due } = totals;
    assert.deepEqual([total, withholding_tax, amount_due], [330_000n, 30_630n, 299_370n]);
  });

  it('takes its base with tax, and from the marked lines alone', () => {
    const lines = [...linesOf([['1', '300000', 'standard']], true), ...linesOf([['1', '70000', 'standard']])];
    const gross = totalsOf(lines, { ...rules, withholding_mode: 'gross' });
    assert.equal(gross.withholding_tax, 33_693n);
    const inclusive = totalsOf(linesOf([['1', '330000', 'standard']], true), {
      display_mode: 'inclusive',
      rounding: 'floor',
      withholding_mode: 'net',
    });
    assert.deepEqual([inclusive.withholding_tax, inclusive.amount_due], [30_630n, 299_370n]);
  });
});
