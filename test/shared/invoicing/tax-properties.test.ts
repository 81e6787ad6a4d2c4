import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { taxDisplayModes } from '../../../shared/invoicing/tax/breakdown.ts';
import { partAmount } from '../../../shared/invoicing/tax/line-amount.ts';
import { taxCategories, taxRateOn } from '../../../shared/invoicing/tax/rates.ts';
import { taxRoundings } from '../../../shared/invoicing/tax/rounding.ts';
import {
  type CountedLine,
  creditTotals,
  type DocumentRules,
  fitsDocument,
  type Totals,
  totalsOf,
} from '../../../shared/invoicing/tax/totals.ts';
import { withholdingModes } from '../../../shared/invoicing/tax/withholding.ts';

const DAY = '2026-04-01';
const yen = (most = 999_999_999_999n) => fc.bigInt(-most, most);

const line = (amount = yen()): fc.Arbitrary<CountedLine> =>
  fc
    .record({
      tax_category: fc.constantFrom(...taxCategories),
      amount,
      withholding: fc.boolean(),
    })
    .map((part) => ({ ...part, tax_rate: taxRateOn(part.tax_category, DAY)! }));

const lines = fc.array(line(), { minLength: 1, maxLength: 12 });

const rules: fc.Arbitrary<DocumentRules> = fc.record({
  display_mode: fc.constantFrom(...taxDisplayModes),
  rounding: fc.constantFrom(...taxRoundings),
  withholding_mode: fc.constantFrom(...withholdingModes),
});

function negative(document: readonly CountedLine[]): CountedLine[] {
  return document.map((each) => ({ ...each, amount: -each.amount }));
}

describe('for any document', () => {
  it('the sums of lines, categories and totals agree', () => {
    fc.assert(
      fc.property(lines, rules, (document, how) => {
        const totals = totalsOf(document, how);
        const { subtotal, tax, total, withholding_tax, amount_due, tax_breakdown } = totals;
        assert.equal(subtotal + tax, total);
        assert.equal(total - withholding_tax, amount_due);
        for (const { net, tax: own, gross } of tax_breakdown) assert.equal(net + own, gross);
        const shown = how.display_mode === 'exclusive' ? subtotal : total;
        assert.equal(
          shown,
          document.reduce((sum, { amount }) => sum + amount, 0n),
        );
      }),
    );
  });

  it('the tax is within a yen of the exact one, on the side that the rounding says', () => {
    fc.assert(
      fc.property(lines, rules, (document, how) => {
        for (const { net, tax, gross, tax_rate } of totalsOf(document, how).tax_breakdown) {
          const rate = BigInt(tax_rate);
          const [numerator, denominator] =
            how.display_mode === 'exclusive' ? [net * rate, 100n] : [gross * rate, 100n + rate];
          const off = numerator < 0n ? -(tax * denominator - numerator) : tax * denominator - numerator;
          if (how.rounding === 'floor') assert.ok(off <= 0n && off > -denominator);
          if (how.rounding === 'ceil') assert.ok(off >= 0n && off < denominator);
          if (how.rounding === 'round') assert.ok(2n * off <= denominator && 2n * off > -denominator);
        }
      }),
    );
  });

  it('its negative has the negative tax', () => {
    fc.assert(
      fc.property(lines, rules, (document, how) => {
        const one = totalsOf(document, { ...how, withholding_mode: 'none' });
        const other = totalsOf(negative(document), { ...how, withholding_mode: 'none' });
        assert.deepEqual([other.subtotal, other.tax, other.total], [-one.subtotal, -one.tax, -one.total]);
      }),
    );
  });

  it('the order of its lines, and a line written as several, change nothing', () => {
    fc.assert(
      fc.property(
        lines,
        rules,
        fc.array(yen(), { maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        (document, how, cuts, order) => {
          const [first, ...rest] = document;
          const pieces = cuts.map((amount) => ({ ...first!, amount }));
          const left = first!.amount - cuts.reduce((sum, amount) => sum + amount, 0n);
          const written = [...rest, ...pieces, { ...first!, amount: left }]
            .map((each) => ({ each, place: order.next().value as number }))
            .sort((a, b) => a.place - b.place)
            .map(({ each }) => each);
          assert.deepEqual(totalsOf(written, how), totalsOf(document, how));
        },
      ),
    );
  });

  it('tax inside a price that is net and tax is that tax', () => {
    fc.assert(
      fc.property(yen(), fc.constantFrom(...taxCategories), (amount, tax_category) => {
        const tax_rate = taxRateOn(tax_category, DAY)!;
        const how = { rounding: 'round', withholding_mode: 'none' } as const;
        const only = { tax_category, tax_rate, withholding: false };
        const exclusive = totalsOf([{ ...only, amount }], { ...how, display_mode: 'exclusive' });
        const inclusive = totalsOf([{ ...only, amount: exclusive.total }], {
          ...how,
          display_mode: 'inclusive',
        });
        assert.deepEqual([inclusive.subtotal, inclusive.tax], [exclusive.subtotal, exclusive.tax]);
      }),
    );
  });
});

describe('any series of credit notes for parts', () => {
  const parts = fc.array(fc.array(line(fc.bigInt(0n, 999_999_999n)), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  });

  function series(notes: readonly CountedLine[][], how: DocumentRules): Totals[] {
    return notes.map((own, index) => creditTotals(notes.slice(0, index).flat(), own, how));
  }

  it('ends at the totals of the whole, to the yen, also by category', () => {
    fc.assert(
      fc.property(parts, rules, (notes, how) => {
        const whole = totalsOf(notes.flat(), how);
        const given = series(notes, how);
        for (const field of ['subtotal', 'tax', 'total', 'withholding_tax', 'amount_due'] as const) {
          assert.equal(
            given.reduce((sum, totals) => sum + totals[field], 0n),
            whole[field],
            field,
          );
        }
        for (const { tax_category, tax } of whole.tax_breakdown) {
          const taken = given.flatMap(({ tax_breakdown }) =>
            tax_breakdown.filter((each) => each.tax_category === tax_category),
          );
          assert.equal(
            taken.reduce((sum, each) => sum + each.tax, 0n),
            tax,
            tax_category,
          );
        }
      }),
    );
  });

  it('never takes a yen of tax the other way', () => {
    fc.assert(
      fc.property(parts, rules, (notes, how) => {
        for (const { tax_breakdown } of series(notes, how)) {
          for (const { tax } of tax_breakdown) assert.ok(tax >= 0n);
        }
      }),
    );
  });

  it('of one line, in parts of its quantity, ends at its amount', () => {
    const thousandth = (value: number) =>
      `${Math.trunc(value / 1000)}.${String(value % 1000).padStart(3, '0')}`;
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 9_999_999 }),
        (quantities, price) => {
          let before = 0;
          let total = 0n;
          for (const quantity of quantities) {
            total += partAmount(thousandth(before), thousandth(quantity), thousandth(price));
            before += quantity;
          }
          assert.equal(total, partAmount('0', thousandth(before), thousandth(price)));
        },
      ),
    );
  });
});

describe('the bounds of a document', () => {
  it('are twelve digits in either direction', () => {
    const most = 999_999_999_999n;
    assert.deepEqual([most, -most, most + 1n, -most - 1n].map(fitsDocument), [true, true, false, false]);
  });
});
