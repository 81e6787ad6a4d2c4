import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Books, linesOf, newBooks } from '../../support/books.ts';
import { documentIn } from '../../support/kept-evidence.ts';
import { until } from '../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();

async function accountOf(books: Books, code: string): Promise<Shown> {
  return (await books.get(`/accounting/accounts?code=${code}`)).body.items[0];
}

/** Years behind 2025, to this one. */
async function yearsTo(books: Books, last: number): Promise<void> {
  for (let year = 2026; year <= last; year += 1)
    await books.make('fiscal-years', { start_date: `${year}-01-01`, end_date: `${year}-12-31` });
}

const OPENING = linesOf([
  ['1110', 500],
  ['3110', -500],
]);

describe('an opening entry', () => {
  test('is not posted on an account that has become one of profit and loss', async () => {
    const books = await newBooks(app);
    const draft = await books.make('journals', { date: '2025-01-01', kind: 'opening', lines: OPENING });
    const cash = await accountOf(books, '1110');
    const changed = await books.patch(`/accounting/accounts/${cash.id}`, {
      account_type: 'expense',
      section: 'sga',
      cf_class: 'pl',
    });
    assert.equal(changed.status, 200, changed.text);
    const refused = await books.act(draft.id, 'post');
    assert.deepEqual(
      [refused.status, refused.body.errors.map(({ path, code }: Shown) => [path, code])],
      [422, [['/lines', 'not_allowed']]],
    );
  });

  test('is not beside an earlier year, whichever of the two is first', async () => {
    const books = await newBooks(app);
    const capital = await accountOf(books, '3110');
    const replies = await app.database.withConnection(books.organization_id, async (connection) => {
      connection.begin();
      await connection.query(
        'SELECT FROM accounting_accounts WHERE organization_id = $1 AND id = $2 FOR UPDATE',
        [books.organization_id, capital.id],
      );
      const opening = books.post('/accounting/journals', {
        date: '2025-01-01',
        kind: 'opening',
        lines: OPENING,
        post: true,
      });
      await until('the entry waits for its account', async () => {
        const [row] = await app.database.withConnection('*', ({ query }) =>
          query<{ waits: boolean }>(
            `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                AND wait_event_type = 'Lock' AND query LIKE '%accounting_lines%') AS waits`,
          ),
        );
        return row!.waits;
      });
      const year = books.post('/accounting/fiscal-years', {
        start_date: '2024-01-01',
        end_date: '2024-12-31',
      });
      await connection.rollback();
      return Promise.all([opening, year]);
    });
    const statuses = replies.map(({ status }) => status);
    assert.ok(statuses.includes(201) && statuses.some((status) => status >= 400), String(statuses));
    const years = (await books.get('/accounting/fiscal-years?sort=start_date:asc')).body.items;
    const openings = (await books.get('/accounting/journals?kind=opening')).body.items;
    for (const { date } of openings) assert.equal(date, years[0].start_date);
  });

  test('that is a draft is changed though an account of it takes no new lines any more', async () => {
    const books = await newBooks(app);
    const draft = await books.make('journals', { date: '2025-01-01', kind: 'opening', lines: OPENING });
    const cash = await accountOf(books, '1110');
    await books.patch(`/accounting/accounts/${cash.id}`, { is_active: false });
    const changed = await books.patch(`/accounting/journals/${draft.id}`, { description: '開始残高' });
    assert.equal(changed.status, 200, changed.text);
  });
});

test('the type of an account stays while it has sub-accounts', async () => {
  const books = await newBooks(app);
  const parent = await books.make('accounts', { code: '9001', name: '親', account_type: 'asset' });
  await books.make('accounts', { code: '9002', name: '子', account_type: 'asset', parent_id: parent.id });
  const refused = await books.patch(`/accounting/accounts/${parent.id}`, {
    account_type: 'liability',
    section: 'current_liabilities',
    cf_class: 'op_other_liab',
  });
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
});

describe('entries of a company that was merged into another one', () => {
  test('are found by the survivor, can be duplicated, and take their own lines again', async () => {
    const books = await newBooks(app);
    const [gone, stays] = await Promise.all(
      ['消える', '残る'].map(async (name) => (await books.post('/crm/companies', { name })).body.company.id),
    );
    const sides = [
      ['1220', 5, { company_id: gone }],
      ['4110', -5],
    ] as const;
    const posted = await books.post_entry('2025-02-01', sides.map((side) => [...side]) as never);
    const draft = await books.book('2025-02-02', sides.map((side) => [...side]) as never);
    const merged = await books.post(`/crm/companies/${stays}/merge`, { loser_id: gone });
    assert.ok(merged.status < 300, merged.text);
    await until('the merge is done', async () => (await books.get(`/crm/companies/${gone}`)).status !== 200);
    for (const id of [gone, stays]) {
      const listed = await books.get(`/accounting/journals?company_id=${id}`);
      assert.equal(listed.status, 200, listed.text);
      const { items, total } = listed.body;
      assert.deepEqual(
        [items.map((entry: Shown) => entry.id).toSorted(), total],
        [[posted.id, draft.id].toSorted(), 2],
      );
    }
    await yearsTo(books, new Date().getUTCFullYear() + 1);
    const copy = await books.act(posted.id, 'duplicate');
    assert.equal(copy.status, 201, copy.text);
    assert.equal(copy.body.journal.lines[0].company_id, stays);
    const shown = (await books.get(`/accounting/journals/${draft.id}`)).body.journal;
    const lines = shown.lines.map(({ account_id, debit, credit, company_id }: Shown) => {
      return { account_id, debit, credit, company_id };
    });
    const patched = await books.patch(`/accounting/journals/${draft.id}`, { lines });
    assert.equal(patched.status, 200, patched.text);
    assert.equal(patched.body.journal.lines[0].company_id, stays);
  });
});

describe('a fiscal year', () => {
  test('that is there already is named, and one made by mistake can be removed', async () => {
    const books = await newBooks(app);
    const again = await books.post('/accounting/fiscal-years', {
      start_date: '2025-01-01',
      end_date: '2025-12-31',
    });
    assert.deepEqual(
      [again.status, again.body.code, again.body.fiscal_year_id],
      [422, 'not_contiguous', books.year.id],
    );
    const earlier = await books.make('fiscal-years', { start_date: '2024-01-01', end_date: '2024-12-31' });
    const later = await books.make('fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
    const between = await books.delete(`/accounting/fiscal-years/${books.year.id}`);
    assert.deepEqual([between.status, between.body.code], [409, 'in_use']);
    for (const { id } of [earlier, later])
      assert.equal((await books.delete(`/accounting/fiscal-years/${id}`)).status, 200);
    await books.book('2025-01-01', [
      ['1110', 5],
      ['3110', -5],
    ]);
    const used = await books.delete(`/accounting/fiscal-years/${books.year.id}`);
    assert.deepEqual([used.status, used.body.code], [409, 'in_use']);
    assert.equal((await books.get('/accounting/fiscal-years')).body.items.length, 1);
  });

  test('whose sums no entry could hold is refused to close, and says so', async () => {
    const books = await newBooks(app);
    const many = Array.from({ length: 200 }, () => [
      { account_code: '1110', debit: 999_999_999_999 },
      { account_code: '4110', credit: 999_999_999_999 },
    ]).flat();
    for (const date of ['2025-01-10', '2025-01-11', '2025-01-12', '2025-02-10', '2025-02-11', '2025-02-12']) {
      await books.make('journals', { date, lines: many, post: true });
    }
    const refused = await books.post(`/accounting/fiscal-years/${books.year.id}/close`);
    assert.deepEqual([refused.status, refused.body.code], [422, 'amount_too_large']);
  });
});

test('a document takes as many entries by a batch as by links', async () => {
  const books = await newBooks(app);
  const { id } = await documentIn(app, books);
  const entry = {
    date: '2025-03-01',
    lines: linesOf([
      ['6250', 5],
      ['1110', -5],
    ]),
    document_ids: [id],
  };
  const batch = (count: number) =>
    books.post('/accounting/journals/batch', { journals: Array.from({ length: count }, () => entry) });
  assert.equal((await batch(100)).status, 201);
  const refused = await batch(1);
  assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'too_many']);
});

test('a mirror is never before its entry, also where that is of a day to come', async () => {
  const books = await newBooks(app);
  const today = new Date().toISOString().slice(0, 10);
  const year = Number(today.slice(0, 4));
  await yearsTo(books, year + 1);
  const date = `${year + 1}-06-15`;
  const entry = await books.post_entry(date, [
    ['6250', 5],
    ['1110', -5],
  ]);
  await books.make('period-locks', { from: date, to: date, level: 'hard' });
  const refused = await books.act(entry.id, 'void', { reason: '誤り' });
  assert.deepEqual([refused.status, refused.body.code], [409, 'period_locked']);
});

test('a department is no filter of entries before there are departments', async () => {
  const books = await newBooks(app);
  const refused = await books.get('/accounting/journals?department_id=dep_x');
  assert.deepEqual([refused.status, refused.body.code], [422, 'unknown_reference']);
});
