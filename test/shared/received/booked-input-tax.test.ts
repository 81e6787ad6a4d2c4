import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Books } from '../../../shared/accounting/sources/booking.ts';
import {
  isInForce,
  taxCategories as ofChart,
  taxCategory,
} from '../../../shared/accounting/tax/categories.ts';
import { taxDisplayModes } from '../../../shared/invoicing/tax/breakdown.ts';
import { taxCategories } from '../../../shared/invoicing/tax/rates.ts';
import { taxRoundings } from '../../../shared/invoicing/tax/rounding.ts';
import { purposes } from '../../../shared/received/documents/line.ts';
import { inputTaxOf } from '../../../shared/received/input-tax/input-tax.ts';
import { purchaseEntry } from '../../../shared/received/journals/invoice-entry.ts';
import { purchaseCategory } from '../../../shared/received/journals/purchase-categories.ts';
import { accepted, line } from '../../support/stated-amounts.ts';
import { taxRulesOfLaw } from '../../support/tax-rules.ts';
import { balance, exclusive, inclusive, linesOf } from '../accounting/sources/books.ts';

/** The first and the last days of every share, and one before there was any. */
const days = [
  '2019-10-01',
  '2023-09-30',
  '2023-10-01',
  '2026-09-30',
  '2026-10-01',
  '2028-10-01',
  '2030-10-01',
  '2031-10-01',
];

const INPUT_TAX = '1580';
const OWED = ['2120', '2310', '2365'];

/** Lines of a category with what the paper prints of it: nothing, or its net or gross in two rows by date. */
const part = fc.record({
  lines: fc.array(
    fc.record({
      price: fc.integer({ min: -99_999, max: 999_999 }),
      account_id: fc.constantFrom('5120', '6210', '1630'),
      purpose: fc.constantFrom(...purposes),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  printed: fc.option(
    fc.record({
      first: fc.integer({ min: -99_999, max: 999_999 }),
      days: fc.subarray(days, { minLength: 2, maxLength: 2 }),
    }),
  ),
});

const document = fc.record({
  parts: fc.record(Object.fromEntries(taxCategories.map((category) => [category, fc.option(part)]))),
  tax_display_mode: fc.constantFrom(...taxDisplayModes),
  tax_rounding: fc.constantFrom(...taxRoundings),
  day: fc.constantFrom(...days),
  qualified: fc.boolean(),
  deduction_basis: fc.constantFrom('auto' as const, 'auto' as const, 'book_only' as const),
  small_amount_rule: fc.boolean(),
  rounding: fc.constantFrom(null, ...taxRoundings),
});

type Told = typeof document extends fc.Arbitrary<infer Value> ? Value : never;

/** The invoice with its input tax, as it would be registered; the parts of a paper that only prints are dated. */
function invoiceOf({ parts, tax_display_mode, tax_rounding, day, qualified, ...told }: Told) {
  const given = taxCategories.flatMap((tax_category) => {
    const own = parts[tax_category];
    return own ? [{ tax_category, ...own }] : [];
  });
  const field = tax_display_mode === 'exclusive' ? 'net' : 'gross';
  const rows = given.flatMap(({ tax_category, lines, printed }) => {
    if (!printed) return [];
    const sum = lines.reduce((all, { price }) => all + price, 0);
    return [printed.first, sum - printed.first].map((amount, place) => ({
      tax_category,
      [field]: amount,
      transaction_date: printed.days[place]!,
    }));
  });
  const lined = given.flatMap(({ tax_category, lines }) => lines.map((each) => ({ tax_category, ...each })));
  const amounts = accepted({
    lines: lined.map(({ price, tax_category }) => line(price, tax_category)),
    rows,
    tax_display_mode,
    tax_rounding,
    day,
    qualified,
  });
  const { deduction_basis, small_amount_rule, rounding } = told;
  const input_tax = inputTaxOf(
    { rows: amounts.rows, qualified, deduction_basis },
    { rules: taxRulesOfLaw, small_amount_rule, roundingOn: () => rounding },
  );
  const purchase = {
    date: day,
    company_id: null,
    withholding_tax: 0n,
    rows: input_tax.rows.map((row) => ({
      ...row,
      gross: BigInt(row.gross),
      deductible: BigInt(row.deductible),
    })),
    lines: lined.map(({ account_id, purpose, tax_category }, place) => {
      return { tax_category, account_id, purpose, amount: BigInt(amounts.lines[place]!.amount!) };
    }),
    isOwedOtherwise: (account_id: string | null) => account_id !== '5120',
  };
  return { total: amounts.totals.total, input_tax, entry: (books: Books) => purchaseEntry(purchase, books) };
}

/** A category as it would be for taxed sales: what is bought for others stands beside it in the same row. */
const forTaxed = (code: string) => code.replace(/^P[CN]/, 'P');

describe('what is booked of an invoice is its input tax', () => {
  /** Sums by category of the books, without those of 0. */
  const sums = (of: readonly (readonly [code: string, amount: number])[]) => {
    const all = new Map<string, number>();
    for (const [code, amount] of of) all.set(code, (all.get(code) ?? 0) + amount);
    return Object.fromEntries([...all].filter(([, amount]) => amount !== 0));
  };

  it('category by category, on one account where books hold amounts without tax, and within the cost where they hold them with it', () => {
    fc.assert(
      fc.property(document, (told) => {
        const { total, input_tax, entry } = invoiceOf(told);
        const codeOf = (row: (typeof input_tax.rows)[number]) => purchaseCategory(row, 'taxable')!;
        for (const books of [exclusive, inclusive]) {
          const made = entry(books);
          const lines = made.outcome === 'nothing_to_post' ? [] : linesOf(made);
          const isSplit = books === exclusive;
          const on = (isTax: boolean) =>
            sums(
              lines
                .filter(
                  ({ account_id }) => !OWED.includes(account_id) && (account_id === INPUT_TAX) === isTax,
                )
                .map((each) => [forTaxed(each.tax_category), balance([each])]),
            );
          assert.deepEqual(
            on(true),
            isSplit ? sums(input_tax.rows.map((row) => [codeOf(row), row.deductible])) : {},
          );
          assert.deepEqual(
            on(false),
            sums(input_tax.rows.map((row) => [codeOf(row), row.gross - (isSplit ? row.deductible : 0)])),
          );
          assert.equal(balance(lines, INPUT_TAX), isSplit ? input_tax.deductible : 0);
          assert.equal(
            OWED.reduce((sum, code) => sum - balance(lines, code), 0),
            total,
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('what purchases are in the books', () => {
  const shares = taxRulesOfLaw.shares.map(({ from, value }, place) => {
    const until = taxRulesOfLaw.shares[place - 1]?.from ?? null;
    return { from, value, until };
  });

  it('is a category of the chart, of the rate and the share of the row, on every day of the share', () => {
    const codes = new Set<string>();
    for (const { from, until, value: share } of [
      ...shares,
      { from: '2019-10-01', until: null, value: 100 },
    ]) {
      for (const [tax_category, tax_rate] of [
        ['standard', 10],
        ['reduced', 8],
        ['legacy_8', 8],
        ['standard', 8],
      ] as const) {
        for (const purpose of purposes) {
          const code = purchaseCategory({ tax_category, tax_rate, share }, purpose)!;
          codes.add(code);
          const found = taxCategory(code);
          if (share === 0) assert.equal(code, 'O');
          else
            assert.deepEqual(
              [found.side, found.rate, found.deductible_percent],
              ['purchase', tax_rate, share],
            );
          if (share === 0 || share === 100) continue;
          const last = Temporal.PlainDate.from(until!).subtract({ days: 1 }).toString();
          for (const day of [from, last]) assert.ok(isInForce(found, day), `${code} on ${day}`);
          assert.ok(!isInForce(found, until!), `${code} on ${until}`);
        }
      }
    }
    const bought = ofChart.filter(({ code }) => /^P[CN]?(10|8)/.test(code)).map(({ code }) => code);
    assert.deepEqual([...codes].filter((code) => code !== 'O').sort(), bought.sort());
  });

  it('is apart where nothing is taxed', () => {
    for (const [tax_category, code] of [
      ['exempt', 'PE'],
      ['zero_rated', 'O'],
      ['out_of_scope', 'O'],
    ] as const) {
      assert.equal(purchaseCategory({ tax_category, tax_rate: 0, share: 100 }, 'common'), code);
      assert.equal(taxCategory(code).rate, 0);
    }
  });
});
