import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { balanceSheet } from '../../../../shared/accounting/reports/balance-sheet.ts';
import { incomeStatement } from '../../../../shared/accounting/reports/income-statement.ts';
import type { StatementLine } from '../../../../shared/accounting/reports/statement-lines.ts';
import { closingEntry, type Entry, figuresOf } from './ledger.ts';
import { accounts, books, monthsOfYear, year } from './random-books.ts';

const ofMonths = (book: readonly Entry[]) =>
  monthsOfYear.map(({ key, ...of }) => ({ key, name: key, range: figuresOf(book, of) }));

const balanceSheetOf = (book: readonly Entry[], to = year.to) =>
  balanceSheet({
    accounts,
    earlier: figuresOf(book, { to: '2024-12-31' }),
    year: figuresOf(book, { from: year.from, to }),
    columns: ofMonths(book).filter(({ key }) => key <= to),
    lang: 'ja',
  });

const incomeOf = (book: readonly Entry[]) =>
  incomeStatement({ accounts, range: figuresOf(book, year), columns: ofMonths(book), lang: 'ja' });

const sum = (lines: readonly StatementLine[], type: string, from: string, to: string) => {
  const at = (key: string) => lines.findIndex((line) => line.key === key);
  return lines
    .slice(at(from), at(to))
    .filter(({ line_type }) => line_type === type)
    .reduce((all, { amount }) => all + amount, 0n);
};

describe('for any books that balance', () => {
  it('the balance sheet balances at the end of every month', () => {
    fc.assert(
      fc.property(books, fc.constantFrom(...monthsOfYear), (book, { to }) => {
        const { totals, balanced } = balanceSheetOf(book, to);
        assert.equal(balanced, true);
        const { liabilities, equity, current_earnings, unclosed_earnings } = totals;
        assert.equal(totals.assets, liabilities + equity + current_earnings + unclosed_earnings);
      }),
    );
  });

  it('net income is what the year earned on the balance sheet', () => {
    fc.assert(
      fc.property(books, (book) => {
        assert.equal(balanceSheetOf(book).totals.current_earnings, incomeOf(book).stages.net_income);
      }),
    );
  });

  it('closing entries move what years earned into retained earnings, and nothing else', () => {
    fc.assert(
      fc.property(books, (book) => {
        const closings = ['2023', '2024', '2025'].map((of) =>
          closingEntry(book, { from: `${of}-01-01`, to: `${of}-12-31` }, accounts),
        );
        const open = balanceSheetOf(book).totals;
        const closed = balanceSheetOf([...book, ...closings]);
        assert.deepEqual(closed.totals, {
          ...open,
          equity: open.equity + open.current_earnings + open.unclosed_earnings,
          current_earnings: 0n,
          unclosed_earnings: 0n,
        });
        assert.equal(closed.balanced, true);
      }),
    );
  });

  it('the months of the income statement make up the year, and the last month end is the day', () => {
    fc.assert(
      fc.property(books, (book) => {
        for (const { amounts, amount } of incomeOf(book).lines) {
          assert.equal(
            amounts.reduce((all, month) => all + month, 0n),
            amount,
          );
        }
        for (const { amounts, amount } of balanceSheetOf(book).lines) assert.equal(amounts.at(-1), amount);
      }),
    );
  });

  it('accounts make up their sections, and sections their totals', () => {
    fc.assert(
      fc.property(books, (book) => {
        const { lines, totals } = balanceSheetOf(book);
        for (const type of ['account', 'section']) {
          assert.equal(sum(lines, type, 'cash', 'total_assets'), totals.assets);
          assert.equal(sum(lines, type, 'trade_payables', 'total_liabilities'), totals.liabilities);
          assert.equal(sum(lines, type, 'capital', 'total_equity'), totals.equity);
        }
        const income = incomeOf(book);
        assert.equal(sum(income.lines, 'account', 'sales', 'net_sales'), income.stages.net_sales);
        const { gross_profit, operating_income } = income.stages;
        assert.equal(
          sum(income.lines, 'account', 'sga', 'operating_income'),
          gross_profit - operating_income,
        );
      }),
    );
  });
});
