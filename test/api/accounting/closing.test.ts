import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { startApp } from '../../support/app.ts';
import { type Books, linesOf, newBooks, persistently } from '../../support/books.ts';
import { until } from '../../support/until.ts';

const app = await startApp();

/** A year with sales of 900, rent of 300 and a loss on a sale of 50. */
async function withProfit(): Promise<Books> {
  const books = await newBooks(app);
  await books.post_entry('2025-02-01', [
    ['1110', 900],
    ['4110', -900],
  ]);
  await books.post_entry('2025-03-01', [
    ['6310', 300],
    ['1110', -300],
  ]);
  await books.post_entry(
    '2025-12-31',
    [
      ['8220', 50],
      ['1650', -50],
    ],
    { kind: 'adjusting' },
  );
  return books;
}

const close = (books: Books, body?: object) =>
  books.post(`/accounting/fiscal-years/${books.year.id}/close`, body);
const reopen = (books: Books) =>
  books.post(`/accounting/fiscal-years/${books.year.id}/reopen`, { reason: '監査' });

const sidesOf = ({ lines }: { lines: { account_code: string; debit: number; credit: number }[] }) =>
  lines.map(({ account_code, debit, credit }) => [account_code, debit - credit]);

describe('a year that is closed', () => {
  test('has its profit in retained earnings, a lock over it, and a year after it', async () => {
    const books = await withProfit();
    const tried = await close(books, { dry_run: true });
    assert.equal(tried.status, 200, tried.text);
    assert.equal(tried.body.fiscal_year.status, 'open');
    const expected = [
      ['4110', 900],
      ['6310', -300],
      ['8220', -50],
      ['3330', -550],
    ];
    assert.deepEqual(sidesOf(tried.body.closing_journal), expected);
    const { body, text, status } = await close(books);
    assert.equal(status, 200, text);
    assert.deepEqual(sidesOf(body.closing_journal), expected);
    assert.partialDeepStrictEqual(body.closing_journal, { kind: 'closing', number: 4, date: '2025-12-31' });
    assert.partialDeepStrictEqual(body.fiscal_year, {
      status: 'closed',
      closing_journal_id: body.closing_journal.id,
    });
    assert.partialDeepStrictEqual(body.next_fiscal_year, {
      name: 'FY2026',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    });
    const entry = {
      date: '2025-06-01',
      lines: linesOf([
        ['6310', 1],
        ['1110', -1],
      ]),
    };
    const late = await books.post('/accounting/journals', entry);
    assert.deepEqual([late.status, late.body.code], [409, 'fiscal_year_closed']);
    const [lock] = (await books.get('/accounting/period-locks')).body.items;
    assert.deepEqual([lock.level, lock.fiscal_year_id], ['hard', books.year.id]);
    const removed = await books.delete(`/accounting/period-locks/${lock.id}`);
    assert.deepEqual([removed.status, removed.body.code], [409, 'fiscal_year_closed']);
    const voided = await books.act(body.closing_journal.id, 'void', { reason: 'x' });
    assert.deepEqual([voided.status, voided.body.code], [409, 'invalid_transition']);
    assert.equal((await close(books)).body.code, 'invalid_transition');
  });

  test('is opened again by a mirror, and closed again with what came since', async () => {
    const books = await withProfit();
    await close(books);
    const opened = await reopen(books);
    assert.equal(opened.status, 200, opened.text);
    assert.partialDeepStrictEqual(opened.body.fiscal_year, { status: 'open', closing_journal_id: null });
    assert.equal((await books.get('/accounting/period-locks')).body.total, 0);
    const closings = (await books.get('/accounting/journals?kind=closing&sort=number:asc')).body.items;
    assert.deepEqual(
      closings.map(({ number, status, reverses }: Record<string, unknown>) => [
        number,
        status,
        reverses === null,
      ]),
      [
        [4, 'voided', true],
        [5, 'posted', false],
      ],
    );
    await books.post_entry('2025-12-31', [
      ['6310', 50],
      ['1110', -50],
    ]);
    const { body } = await close(books);
    assert.deepEqual(sidesOf(body.closing_journal).at(-1), ['3330', -500]);
    assert.equal((await books.get('/accounting/fiscal-years')).body.total, 2);
    assert.equal((await reopen(books)).status, 200);
    assert.deepEqual((await reopen(books)).body.code, 'invalid_transition');
  });

  test('is refused with all that stands in the way', async () => {
    const books = await withProfit();
    const draft = await books.book('2025-05-01', [
      ['6310', 1],
      ['1110', -1],
    ]);
    await books.patch('/accounting/settings', { account_map: { retained_earnings: null } });
    const refused = await close(books);
    assert.deepEqual([refused.status, refused.body.code], [409, 'close_blocked'], refused.text);
    assert.deepEqual(refused.body.blockers, [
      { code: 'unposted_entries', count: 1, ids: [draft.id] },
      { code: 'account_map_incomplete', count: 1, ids: [] },
    ]);
    const next = await books.make('fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
    const early = await books.post(`/accounting/fiscal-years/${next.id}/close`, { dry_run: true });
    assert.deepEqual(early.body.blockers[0], { code: 'previous_year_open', count: 1, ids: [books.year.id] });
  });

  test('without profit or loss needs no entry', async () => {
    const books = await newBooks(app);
    const { status, body } = await close(books);
    assert.deepEqual([status, body.closing_journal, body.fiscal_year.status], [200, null, 'closed']);
  });
});

test('posts beside a close are in the closing entry, or are refused', async () => {
  const books = await newBooks(app);
  const entry = {
    date: '2025-07-01',
    lines: linesOf([
      ['6310', 10],
      ['1110', -10],
    ]),
    post: true,
  };
  const posts = Array.from({ length: 60 }, () =>
    persistently(() => books.post('/accounting/journals', entry)),
  );
  const closed = await persistently(() => close(books));
  const replies = await Promise.all(posts);
  assert.equal(closed.status, 200, closed.text);
  const taken = replies.filter(({ status }) => status === 201).length;
  const refusals = replies.flatMap(({ status, body }) => (status === 201 ? [] : [body.code]));
  assert.deepEqual(
    [...new Set(refusals)].filter((code) => code !== 'fiscal_year_closed'),
    [],
  );
  const sides = closed.body.closing_journal ? sidesOf(closed.body.closing_journal) : [];
  assert.deepEqual(sides[0]?.[1] ?? 0, taken === 0 ? 0 : -10 * taken);
  const { items } = (await books.get('/accounting/journals?sort=number:desc&limit=1')).body;
  if (taken > 0) assert.deepEqual([items[0].kind, items[0].number], ['closing', taken + 1]);
});

for (const [change, send] of [
  ['close', (books: Books) => close(books)],
  [
    'change',
    (books: Books) => books.patch(`/accounting/fiscal-years/${books.year.id}`, { tax_books: 'inclusive' }),
  ],
] as const) {
  test(`a ${change} of a year that waits for who posts leaves the counter to them`, async () => {
    const books = await newBooks(app);
    const { organization_id } = books;
    const values = [organization_id, books.year.id];
    const poster = new pg.Client({ connectionString: app.database_url });
    await poster.connect();
    try {
      await poster.query('BEGIN');
      await poster.query(
        `SELECT pg_advisory_xact_lock_shared(hashtextextended('accounting_fiscal_years ' || $1 || ' ' || $2, 0))`,
        values,
      );
      const changed = send(books);
      await until('it waits for the books', async () => {
        const { rows } = await poster.query(
          `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return rows.length > 0;
      });
      await poster.query(
        `SELECT FROM accounting_fiscal_years WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE NOWAIT`,
        values,
      );
      await poster.query('COMMIT');
      const reply = await changed;
      assert.equal(reply.status, 200, reply.text);
    } finally {
      await poster.end();
    }
  });
}
