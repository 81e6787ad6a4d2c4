import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { kindGroups } from '../../../../shared/accounting/journals/kinds.ts';
import { trialBalance } from '../../../../shared/accounting/reports/trial-balance.ts';
import { figuresOf } from './ledger.ts';
import { accounts, books, monthsOfYear, spansOf, year } from './random-books.ts';

const asked = { accounts, adjusting: 'include', include_zero: false, lang: 'ja' } as const;

describe('for any books that balance', () => {
  const edges = fc.constantFrom(...monthsOfYear.map(({ from }) => from));

  it('debits equal credits in any range and with any choice of entries that adjust', () => {
    fc.assert(
      fc.property(books, edges, fc.constantFrom('include', 'exclude', 'only'), (book, from, adjusting) => {
        const spans = spansOf(book, { from, to: year.to });
        const { totals, balanced } = trialBalance({ ...asked, spans, adjusting });
        assert.deepEqual([totals.opening, totals.debit - totals.credit, totals.closing], [0n, 0n, 0n]);
        assert.equal(balanced, true);
      }),
    );
  });

  it('one yen more on a side is seen', () => {
    fc.assert(
      fc.property(books, fc.constantFrom(...kindGroups), (book, group) => {
        const slip = { date: '2025-05-05', group, postings: [{ code: '1140', amount: 1n }] };
        const spans = spansOf([...book, slip]);
        assert.equal(trialBalance({ ...asked, spans }).balanced, false);
      }),
    );
  });

  it('the months make up the year, and the companies the whole', () => {
    fc.assert(
      fc.property(books, (book) => {
        const months = monthsOfYear.map(({ key, ...range }) => ({ key, range: figuresOf(book, range) }));
        const groups = ['comp_1', 'comp_2', null].map((id) => ({
          id,
          name: String(id),
          spans: spansOf(book, year, id),
        }));
        const report = trialBalance({ ...asked, spans: spansOf(book), months, groups });
        for (const each of [...report.rows, ...report.sections, report.totals]) {
          const sum = (side: 'debit' | 'credit') =>
            each.months!.reduce((all, month) => all + month[side], 0n);
          assert.deepEqual([sum('debit'), sum('credit')], [each.debit, each.credit]);
          assert.equal(each.months!.at(-1)!.closing, each.closing);
          for (const figure of ['opening', 'debit', 'credit', 'closing'] as const) {
            assert.equal(
              each.breakdown!.reduce((all, part) => all + part[figure], 0n),
              each[figure],
            );
          }
        }
      }),
    );
  });

  it('a range begins with what the days before it closed with', () => {
    fc.assert(
      fc.property(books, fc.constantFrom(...monthsOfYear.slice(1)), (book, { from }) => {
        const before = trialBalance({
          ...asked,
          include_zero: true,
          spans: spansOf(book, { from: year.from, to: `${from.slice(0, 7)}-00` }),
        });
        const after = trialBalance({
          ...asked,
          include_zero: true,
          spans: spansOf(book, { from, to: year.to }),
        });
        assert.deepEqual(
          after.rows.map(({ opening }) => opening),
          before.rows.map(({ closing }) => closing),
        );
      }),
    );
  });
});
