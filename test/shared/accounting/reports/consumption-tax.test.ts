import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ConsumptionTaxInput,
  consumptionTax,
} from '../../../../shared/accounting/reports/consumption-tax.ts';
import {
  balanceOf,
  type FiguresByAccount,
  movementGroups,
} from '../../../../shared/accounting/reports/figures.ts';
import { taxCategories } from '../../../../shared/accounting/tax/categories.ts';
import { chart, type Entry, figuresOf, normal } from './ledger.ts';
import { accounts, books, year } from './random-books.ts';
import { year2025 } from './year-2025.ts';

const byCategory = (entries: readonly Entry[]): Map<string, FiguresByAccount> =>
  new Map(taxCategories.map(({ code }) => [code, figuresOf(entries, { ...year, tax_category: code })]));

const of = (range: ReadonlyMap<string, FiguresByAccount>, more: Partial<ConsumptionTaxInput> = {}) =>
  consumptionTax({ accounts: chart, range, tax_account_ids: new Set(['1580', '2385']), lang: 'ja', ...more })
    .rows;

const sales = new Map([
  ['S8R', normal({ 4120: [0, 1_851], 2385: [0, 148] })],
  ['S10', normal({ 4110: [10, 1_010], 2385: [1, 101], 7140: [0, 500] })],
  ['O', normal({ 1140: [1_999, 0] })],
]);

describe('the report on consumption tax', () => {
  it('has the purchase of the example: 51,000 and a tax of 4,000', () => {
    assert.deepEqual(of(byCategory(year2025)), [
      {
        tax_category: 'P10T80',
        name: '課対仕入（控80）10%',
        net: 51_000n,
        tax: 4_000n,
        accounts: [
          { code: '1580', name: '仮払消費税等', debit: 4_000n, credit: 0n, balance: 4_000n },
          { code: '5140', name: '外注加工費', debit: 51_000n, credit: 0n, balance: 51_000n },
        ],
      },
    ]);
  });

  it('has a row for each category in the order of the categories, sales negative', () => {
    assert.deepEqual(
      of(sales).map(({ tax_category, net, tax }) => [tax_category, net, tax]),
      [
        ['S10', -1_500n, -100n],
        ['S8R', -1_851n, -148n],
      ],
    );
    assert.deepEqual(
      of(sales)[0]!.accounts.map(({ code, debit, credit, balance }) => [code, debit, credit, balance]),
      [
        ['2385', 1n, 101n, -100n],
        ['4110', 10n, 1_010n, -1_000n],
        ['7140', 0n, 500n, -500n],
      ],
    );
  });

  it('has what is out of scope where it is asked for, and one category alone', () => {
    const codes = (tax_category: string) => of(sales, { tax_category }).map((row) => row.tax_category);
    assert.deepEqual(codes('O'), ['O']);
    assert.deepEqual(codes('S8R'), ['S8R']);
    assert.deepEqual(codes('P10'), []);
  });

  it('has English names', () => {
    const [row] = of(sales, { lang: 'en', tax_category: 'S8R' });
    assert.deepEqual(
      [row!.name, row!.accounts[1]!.name],
      ['Taxable sales 8% (reduced)', 'Net sales (reduced rate)'],
    );
  });

  it('counts no closing and no opening entries', () => {
    const sums = { debit: 5n, credit: 0n };
    const closing = new Map([['S10', new Map([['4110', { closing: sums, opening: sums }]])]]);
    assert.deepEqual(of(closing), []);
  });

  it('keeps a category whose lines cancel out: they were there', () => {
    const [row] = of(new Map([['P10', normal({ 6230: [9_000, 9_000], 1580: [900, 900] })]]));
    assert.deepEqual([row!.net, row!.tax, row!.accounts.length], [0n, 0n, 2]);
  });

  it('for any books, net and tax of all categories are what the accounts moved', () => {
    const categories = fc.array(fc.constantFrom('S10', 'P10', 'P8R', 'SE', 'O'), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(books, categories, (book, codes) => {
        const entries = book.map((entry) => ({
          ...entry,
          postings: entry.postings.map((each, at) => ({ ...each, tax_category: codes[at % codes.length]! })),
        }));
        const range = byCategory(entries);
        const rows = [...of(range, { accounts }), ...of(range, { accounts, tax_category: 'O' })];
        const moved = figuresOf(entries, year);
        for (const { code } of accounts) {
          const shown = rows.flatMap((row) => row.accounts.filter((each) => each.code === code));
          assert.equal(
            shown.reduce((sum, { balance }) => sum + balance, 0n),
            balanceOf(moved.get(code), movementGroups),
          );
        }
        const taxed = ['1580', '2385'].reduce(
          (sum, id) => sum + balanceOf(moved.get(id), movementGroups),
          0n,
        );
        assert.equal(
          rows.reduce((sum, { tax }) => sum + tax, 0n),
          taxed,
        );
        assert.equal(
          rows.reduce((sum, { net }) => sum + net, 0n),
          -taxed,
        );
      }),
    );
  });
});
