import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { reportOf, walk } from '../../../support/book-reports.ts';
import { type Books, newBooks } from '../../../support/books.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

describe('books over two years', () => {
  let books: Books;
  before(async () => {
    books = await newBooks(app);
    await books.make('fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
    for (const [date, amount] of [
      ['2025-11-10', 1_000],
      ['2025-12-31', 200],
      ['2026-01-01', 30],
      ['2026-02-20', 4],
    ] as const) {
      await books.post_entry(date, [
        ['1140', amount],
        ['4110', -amount],
      ]);
    }
  });

  const figures = async (query: string) => {
    const ledger = await reportOf(books, `general-ledger?${query}`);
    const { brought_forward, debit, credit, closing, rows } = ledger;
    return [brought_forward, debit, credit, closing, rows.map(({ balance }: Shown) => balance)];
  };

  test('assets run on, revenue begins each year at zero', async () => {
    const next = 'from=2026-02-01&to=2026-02-28';
    assert.deepEqual(await figures(`account_code=1140&${next}`), [1_230, 4, 0, 1_234, [1_234]]);
    assert.deepEqual(await figures(`account_code=4110&${next}`), [-30, 0, 4, -34, [-34]]);
    const both = 'from=2025-12-01&to=2026-12-31';
    assert.deepEqual(await figures(`account_code=4110&${both}`), [
      -1_000,
      0,
      234,
      -1_234,
      [-1_200, -1_230, -1_234],
    ]);
    const { fiscal_year_id } = await reportOf(books, `journal-book?${both}`);
    assert.equal(fiscal_year_id, null);
  });

  test('the closing entry takes revenue to zero, unless it is left out', async () => {
    const closed = await books.post(`/accounting/fiscal-years/${books.year.id}/close`);
    assert.equal(closed.status, 200, closed.text);
    const both = 'from=2025-01-01&to=2026-12-31';
    assert.deepEqual(await figures(`account_code=4110&${both}`), [
      0,
      1_200,
      1_234,
      -34,
      [-1_000, -1_200, 0, -30, -34],
    ]);
    assert.deepEqual(await figures(`account_code=4110&${both}&closing_entries=exclude`), [
      0,
      0,
      1_234,
      -1_234,
      [-1_000, -1_200, -1_230, -1_234],
    ]);
    assert.deepEqual(await figures('account_code=3330&from=2026-01-01&to=2026-12-31'), [
      -1_200,
      0,
      0,
      -1_200,
      [],
    ]);
    const numbers = async (query: string) => {
      const { entries, totals } = await reportOf(books, `journal-book?${both}${query}&limit=200`);
      return [entries.length, totals.debit, totals.credit];
    };
    assert.deepEqual(await numbers(''), [5, 2_434, 2_434]);
    assert.deepEqual(await numbers('&closing_entries=exclude'), [4, 1_234, 1_234]);
  });
});

describe('companies in the books', () => {
  test('lines of those that were merged count as the survivor’s', async () => {
    const books = await newBooks(app);
    const company = async (name: string) => (await books.post('/crm/companies', { name })).body.company.id;
    const [first, second] = [await company('青山商店'), await company('青山商店（旧）')];
    for (const [company_id, amount] of [
      [first, 100],
      [second, 20],
      [null, 4_000],
      [second, 3],
    ] as const) {
      await books.post_entry('2025-04-10', [
        ['1220', amount, { company_id }],
        ['4110', -amount, { company_id }],
      ]);
    }
    const merged = await books.post(`/crm/companies/${first}/merge`, { loser_id: second });
    assert.ok(merged.status < 300, merged.text);
    const of = async (query: string) => {
      const ledger = await reportOf(books, `general-ledger?account_code=1220&${query}`);
      return [ledger.debit, ledger.rows.map(({ company, balance }: Shown) => [company?.id, balance])];
    };
    const own = [
      [first, 100],
      [first, 120],
      [first, 123],
    ];
    assert.deepEqual(await of(`company_id=${second}`), [123, own]);
    assert.deepEqual(await of(`from=2025-04-02&to=2025-04-20&company_id=${first}`), [123, own]);
    assert.deepEqual(await of('company_id=none'), [4_000, [[undefined, 4_000]]]);
    assert.deepEqual(await of('department_id=none&tax_category=O'), [
      4_123,
      [
        [first, 100],
        [first, 120],
        [undefined, 4_120],
        [first, 4_123],
      ],
    ]);
    const path = `general-ledger?account_code=1220&company_id=${first}`;
    const pages = await walk(books, path, 1, ({ rows }) => rows.at(-1).line_id);
    assert.deepEqual(
      pages.flatMap(({ rows }) => rows.map(({ balance }: Shown) => balance)),
      [100, 120, 123],
    );
    const book = await reportOf(books, `journal-book?company_id=${second}`);
    assert.deepEqual([book.entries.length, book.totals], [3, { debit: 123, credit: 123 }]);
  });
});
