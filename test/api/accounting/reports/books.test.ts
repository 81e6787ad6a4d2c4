import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { reportOf, walk } from '../../../support/book-reports.ts';
import { type Books, newBooks } from '../../../support/books.ts';
import { bookExampleYear } from '../../../support/example-year.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

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
