import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { type Books, newBooks } from '../../../support/books.ts';
import { bookExampleYear } from '../../../support/example-year.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

async function reportOf(books: Books, path: string): Promise<Shown> {
  const reply = await books.get(`/accounting/reports/${path}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.report;
}

const whole = (path: string) => `${path}${path.includes('?') ? '&' : '?'}limit=200`;

/** Walks a book page by page. */
async function walk(books: Books, path: string, limit: number, last: (page: Shown) => string | undefined) {
  const pages: Shown[] = [];
  for (;;) {
    const cursor = pages.length > 0 ? `&starting_after=${last(pages.at(-1))}` : '';
    const page = await reportOf(books, `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    pages.push(page);
    if (!page.has_more) return pages;
  }
}

describe('the books of a year', () => {
  let books: Books;
  before(async () => {
    books = await newBooks(app);
    await bookExampleYear(books);
    await books.book('2025-06-30', [
      ['6310', 77],
      ['1140', -77],
    ]);
  });

  test('the journal book has what is posted, by date and number, with the totals of all of it', async () => {
    const { entries, totals, has_more, ...head } = await reportOf(books, 'journal-book');
    assert.deepEqual(
      entries.map(({ date, number, status }: Shown) => [date, number, status]),
      [
        ['2025-01-01', 1, 'posted'],
        ['2025-02-10', 2, 'posted'],
        ['2025-03-31', 3, 'posted'],
        ['2025-04-15', 4, 'posted'],
        ['2025-05-20', 5, 'posted'],
        ['2025-06-30', 6, 'posted'],
        ['2025-07-07', 7, 'voided'],
        ['2025-07-07', 8, 'posted'],
        ['2025-08-31', 9, 'posted'],
        ['2025-10-01', 10, 'posted'],
        ['2025-12-31', 11, 'posted'],
        ['2025-12-31', 12, 'posted'],
      ],
    );
    const sum = entries.reduce((sum: number, { total }: Shown) => sum + total, 0);
    assert.deepEqual(totals, { debit: sum, credit: sum });
    assert.equal(sum, 4_012_800 + 3_600_000);
    assert.equal(has_more, false);
    assert.equal(head.kind, 'journal-book');
    assert.equal(head.fiscal_year_id, books.year.id);
    assert.equal(head.books_revision, 12);
    assert.deepEqual(head.filters, { closing_entries: 'include' });
    const { journal } = (await books.get(`/accounting/journals/${entries[1].id}`)).body;
    assert.deepEqual(entries[1], journal);
  });

  test('the journal book goes on behind an entry', async () => {
    const all = await reportOf(books, 'journal-book');
    for (const limit of [1, 5, 12]) {
      const pages = await walk(books, 'journal-book', limit, ({ entries }) => entries.at(-1).id);
      assert.equal(pages.length, Math.ceil(12 / limit));
      assert.deepEqual(
        pages.flatMap(({ entries }) => entries),
        all.entries,
      );
      for (const { totals } of pages) assert.deepEqual(totals, all.totals);
    }
  });

  test('filters leave the entries with such a line, and the totals of such lines', async () => {
    const { body } = await books.get('/accounting/accounts?code=1140');
    const [{ id }] = body.items ?? body.accounts;
    for (const limit of [1, 3, 50]) {
      const pages = await walk(
        books,
        `journal-book?account_id=${id}`,
        limit,
        ({ entries }) => entries.at(-1).id,
      );
      const numbers = pages.flatMap(({ entries }) => entries.map(({ number }: Shown) => number));
      assert.deepEqual(numbers, [1, 3, 6, 10]);
      assert.deepEqual(pages[0].totals, { debit: 4_319_340, credit: 442_000 });
    }
    const taxed = await reportOf(books, 'journal-book?tax_category=S8R');
    assert.deepEqual(
      taxed.entries.map(({ number, lines }: Shown) => [number, lines.length]),
      [[9, 3]],
    );
    assert.deepEqual(taxed.totals, { debit: 0, credit: 216_000 });
  });

  test('the ledger of an account has each line with the balance behind it', async () => {
    const ledger = await reportOf(books, 'general-ledger?account_code=1140');
    const { brought_forward, opening, debit, credit, closing, rows, account } = ledger;
    assert.deepEqual(
      [brought_forward, opening, debit, credit, closing],
      [0, 3_000_000, 1_319_340, 442_000, 3_877_340],
    );
    assert.deepEqual([account.code, account.name, account.account_type], ['1140', '普通預金', 'asset']);
    assert.deepEqual(
      rows.map((row: Shown) => [row.date, row.number, row.debit, row.credit, row.balance]),
      [
        ['2025-01-01', 1, 3_000_000, 0, 3_000_000],
        ['2025-03-31', 3, 1_319_340, 0, 4_319_340],
        ['2025-06-30', 6, 0, 112_000, 4_207_340],
        ['2025-10-01', 10, 0, 330_000, 3_877_340],
      ],
    );
    const [opened, received, paid] = rows;
    assert.equal(opened.kind, 'opening');
    assert.deepEqual(
      [opened, received].map(({ counter_account }: Shown) => counter_account),
      [
        { account_id: null, code: null, name: '諸口' },
        { account_id: received.counter_account.account_id, code: '1220', name: '売掛金' },
      ],
    );
    assert.equal(paid.counter_account.name, '諸口');
    assert.equal(typeof paid.days_late, 'number');
    const english = await reportOf(books, 'general-ledger?account_code=1140&lang=en');
    assert.equal(english.rows[0].counter_account.name, 'Sundry accounts');
  });

  test('what was before the range is brought forward', async () => {
    const of = async (code: string, from: string, to: string) => {
      const { brought_forward, opening, debit, credit, closing, rows } = await reportOf(
        books,
        `general-ledger?account_code=${code}&from=${from}&to=${to}`,
      );
      return [brought_forward, opening, debit, credit, closing, rows.at(-1)?.balance];
    };
    assert.deepEqual(
      await of('1140', '2025-03-31', '2025-09-30'),
      [3_000_000, 3_000_000, 1_319_340, 112_000, 4_207_340, 4_207_340],
    );
    assert.deepEqual(await of('1140', '2025-04-01', '2025-04-30'), [
      4_319_340,
      4_319_340,
      0,
      0,
      4_319_340,
      undefined,
    ]);
    assert.deepEqual(await of('6310', '2025-04-01', '2025-12-31'), [600, 600, 0, 0, 600, undefined]);
  });

  test('the ledger goes on behind a line with the same balances', async () => {
    const path = 'general-ledger?account_code=1140&from=2025-01-01&to=2025-12-31';
    const all = await reportOf(books, path);
    for (const limit of [1, 2, 3]) {
      const pages = await walk(books, path, limit, ({ rows }) => rows.at(-1).line_id);
      assert.deepEqual(
        pages.flatMap(({ rows }) => rows),
        all.rows,
      );
    }
  });

  test('a cursor that is not of the book is refused', async () => {
    const code = async (path: string) => {
      const reply = await books.get(`/accounting/reports/${path}`);
      return [reply.status, reply.body.code, reply.body.errors?.[0]?.path];
    };
    const { rows } = await reportOf(books, 'general-ledger?account_code=1220');
    const line = rows[0].line_id;
    const draft = (await books.get('/accounting/journals?status=draft')).body.items[0];
    assert.deepEqual(await code(`general-ledger?account_code=1140&starting_after=${line}`), [
      400,
      'invalid_cursor',
      undefined,
    ]);
    assert.deepEqual(await code(`journal-book?starting_after=${draft.id}`), [
      400,
      'invalid_cursor',
      undefined,
    ]);
    assert.deepEqual(await code('general-ledger'), [422, 'validation_failed', 'account_id']);
    assert.deepEqual(await code('general-ledger?account_code=none'), [
      422,
      'unknown_reference',
      'account_code',
    ]);
    assert.deepEqual(await code('journal-book?limit=201'), [422, 'validation_failed', 'limit']);
    assert.deepEqual(await code('general-ledger?account_code=1140&limit=501'), [
      422,
      'validation_failed',
      'limit',
    ]);
    for (const format of ['csv', 'pdf', 'hledger']) {
      assert.deepEqual(await code(`journal-book?format=${format}&limit=5`), [
        422,
        'validation_failed',
        'limit',
      ]);
    }
    assert.deepEqual(await code('general-ledger?account_code=1140&format=hledger'), [
      422,
      'validation_failed',
      'format',
    ]);
    assert.deepEqual(await code('journal-book?tax_category=S11'), [422, 'validation_failed', 'tax_category']);
  });
});

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
      const { entries, totals } = await reportOf(books, whole(`journal-book?${both}${query}`));
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
