import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openLines, type PlacedLine } from '../../../shared/invoicing/credit-notes/open-lines.ts';
import type { CreditLineInput } from '../../../shared/invoicing/credit-notes/record.ts';
import { countedLines } from '../../../shared/invoicing/documents/totals.ts';
import { taxDisplayModes } from '../../../shared/invoicing/tax/breakdown.ts';
import { taxCategories } from '../../../shared/invoicing/tax/rates.ts';
import { taxRoundings } from '../../../shared/invoicing/tax/rounding.ts';
import { type DocumentRules, totalsOf } from '../../../shared/invoicing/tax/totals.ts';
import { withholdingModes } from '../../../shared/invoicing/tax/withholding.ts';
import { item, ledger, sumOf } from '../../support/credit-ledger.ts';

const FIELDS = ['subtotal', 'tax', 'total', 'withholding_tax', 'amount_due'] as const;

const thousandth = (value: number) => {
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  return `${sign}${Math.trunc(size / 1000)}.${String(size % 1000).padStart(3, '0')}`;
};

const rules: fc.Arbitrary<DocumentRules> = fc.record({
  display_mode: fc.constantFrom(...taxDisplayModes),
  rounding: fc.constantFrom(...taxRoundings),
  withholding_mode: fc.constantFrom(...withholdingModes),
});

const drawnItem = (quantities: fc.Arbitrary<number>, prices: fc.Arbitrary<number>) =>
  fc.record({
    quantity: quantities.map(thousandth),
    unit_price: prices.map(thousandth),
    tax_category: fc.constantFrom(...taxCategories),
    withholding: fc.boolean(),
  });

const goods = drawnItem(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 9_999_999 }));
const anything = drawnItem(
  fc.integer({ min: -99_999, max: 99_999 }).filter((quantity) => quantity !== 0),
  fc.integer({ min: -9_999_999, max: 9_999_999 }),
);

const invoiceOf = (one: typeof goods) =>
  fc
    .array(one, { minLength: 1, maxLength: 8 })
    .map((drawn) => drawn.map((fields, place) => item({ ...fields, id: `li${place}` })));

/** What a note asks for: parts of lines by their place, in percent of what is open; and reductions. */
const wishes = fc.array(
  fc.array(
    fc.oneof(
      fc.record({ place: fc.nat(7), percent: fc.integer({ min: 1, max: 100 }) }),
      fc.record({
        unit_price: fc.integer({ min: 1, max: 5_000 }),
        tax_category: fc.constantFrom(...taxCategories),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  { maxLength: 8 },
);

type Wish = { place: number; percent: number } | { unit_price: number; tax_category: 'standard' };

function askedFor(invoice: readonly PlacedLine[], credited: readonly PlacedLine[], wish: readonly Wish[]) {
  const open = openLines(invoice, credited);
  const named = new Set<string>();
  return wish.flatMap((one): CreditLineInput[] => {
    if ('unit_price' in one) {
      return [{ description: '値引き', unit_price: String(one.unit_price), tax_category: one.tax_category }];
    }
    const chosen = open[one.place % Math.max(open.length, 1)];
    if (!chosen || named.has(chosen.line.id)) return [];
    named.add(chosen.line.id);
    const size = Math.round(Number(chosen.open) * 1000);
    const part = Math.sign(size) * Math.max(1, Math.trunc((Math.abs(size) * one.percent) / 100));
    return [{ source_line_id: chosen.line.id, quantity: thousandth(part) }];
  });
}

describe('any series of credit notes', () => {
  for (const [what, lines] of [
    ['of goods', invoiceOf(goods)],
    ['of goods, returns and discounts', invoiceOf(anything)],
  ] as const) {
    it(`${what}, with all that is left as the last one, ends at the invoice to the yen`, () => {
      let refused = 0;
      let taken = 0;
      fc.assert(
        fc.property(lines, rules, wishes, (invoice, how, notes) => {
          const whole = totalsOf(countedLines(invoice), how);
          const book = ledger(invoice, how);
          for (const wish of notes) {
            const asked = askedFor(invoice, book.credited, wish as Wish[]);
            if (asked.length === 0) continue;
            const { faults, refusal } = book.credit(asked);
            assert.deepEqual(faults, []);
            if (refusal) refused += 1;
            else taken += 1;
            const so_far = sumOf(book.given, 'total');
            assert.ok(
              whole.total >= 0n
                ? so_far >= 0n && so_far <= whole.total
                : so_far <= 0n && so_far >= whole.total,
            );
          }
          const last = book.credit(null);
          assert.deepEqual(last.faults, []);
          assert.equal(last.refusal, null);
          for (const field of FIELDS) assert.equal(sumOf(book.given, field), whole[field], field);
          assert.deepEqual(book.credit(null).lines, []);
        }),
        { numRuns: 300 },
      );
      assert.ok(taken > 50 && refused > 5, `${taken} taken, ${refused} refused`);
    });
  }

  it('an invoice and its negative are credited by the same amounts, with the opposite sign', () => {
    const mirrored = (line: PlacedLine): PlacedLine =>
      item({ ...line, unit_price: lineNegative(line.unit_price!), amount: -line.amount! });
    fc.assert(
      fc.property(invoiceOf(goods), rules, wishes, (invoice, how, notes) => {
        const plain = { ...how, withholding_mode: 'none' } as const;
        const [one, other] = [ledger(invoice, plain), ledger(invoice.map(mirrored), plain)];
        for (const wish of notes) {
          const parts = (wish as Wish[]).filter((each) => 'place' in each);
          const asked = askedFor(invoice, one.credited, parts);
          if (asked.length === 0) continue;
          assert.equal(one.credit(asked).refusal, null);
          assert.equal(other.credit(asked).refusal, null);
        }
        for (const field of FIELDS) {
          assert.deepEqual(
            one.given.map((totals) => totals[field]),
            other.given.map((totals) => -totals[field]),
          );
        }
      }),
    );
  });
});

function lineNegative(price: string): string {
  return price.startsWith('-') ? price.slice(1) : `-${price}`;
}
