import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { taxDisplayModes } from '../../../shared/invoicing/tax/breakdown.ts';
import { taxCategories } from '../../../shared/invoicing/tax/rates.ts';
import { taxRoundings } from '../../../shared/invoicing/tax/rounding.ts';
import { totalsOf } from '../../../shared/invoicing/tax/totals.ts';
import { accepted, found, line } from '../../support/stated-amounts.ts';

describe('for any document', () => {
  const amount = fc.integer({ min: -9_999_999, max: 9_999_999 });
  const category = fc.constantFrom(...taxCategories);
  const lines = fc.array(
    fc.tuple(amount, category).map(([price, of]) => line(price, of)),
    { minLength: 1, maxLength: 12 },
  );
  const modes = fc.record({
    tax_display_mode: fc.constantFrom(...taxDisplayModes),
    tax_rounding: fc.constantFrom(...taxRoundings),
  });

  it('the sums of lines alone are those of a document of our own, and stay when they are printed', () => {
    fc.assert(
      fc.property(lines, modes, (document, how) => {
        const { totals, lines: counted } = accepted({ lines: document, ...how });
        const ours = totalsOf(
          counted.map(({ tax_category, tax_rate, amount: yen, withholding }) => ({
            tax_category: tax_category!,
            tax_rate: tax_rate!,
            amount: BigInt(yen!),
            withholding,
          })),
          { display_mode: how.tax_display_mode, rounding: how.tax_rounding, withholding_mode: 'none' },
        );
        assert.deepEqual([totals.subtotal, totals.tax, totals.total].map(BigInt), [
          ours.subtotal,
          ours.tax,
          ours.total,
        ]);
        const rows = totals.tax_breakdown.map(({ tax_rate, ...printed }) => printed);
        const printed = accepted({ lines: document, rows, stated_total: totals.total, ...how });
        assert.deepEqual([printed.totals, printed.tax_differences], [totals, []]);
      }),
    );
  });

  it('printed nets and taxes are what it comes to, whatever they are, if nobody checks them', () => {
    const printed = fc.uniqueArray(fc.record({ tax_category: category, net: amount, tax: amount }), {
      selector: ({ tax_category }) => tax_category,
    });
    fc.assert(
      fc.property(printed, modes, (rows, how) => {
        const { totals } = accepted({ rows, qualified: false, ...how });
        const sum = (field: 'net' | 'tax') => rows.reduce((total, each) => total + each[field], 0);
        assert.deepEqual(
          [totals.subtotal, totals.tax, totals.total],
          [sum('net'), sum('tax'), sum('net') + sum('tax')],
        );
      }),
    );
  });

  it('a printed tax is accepted exactly up to a yen a line', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(99_999), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: -20, max: 20 }),
        (prices, off) => {
          const own = prices.map((price) => line(price));
          const { totals } = accepted({ lines: own });
          const amounts = found({ lines: own, rows: [{ net: totals.subtotal, tax: totals.tax + off }] });
          assert.equal('faults' in amounts, Math.abs(off) > own.length);
        },
      ),
    );
  });
});
