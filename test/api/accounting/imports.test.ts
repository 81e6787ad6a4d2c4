import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { assertRollups, newBooks } from '../../support/books.ts';
import { endOf, entriesOf, faultsOf, imported } from '../../support/journal-imports.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

const HEAD =
  'date,number,kind,description,account_code,debit,credit,tax_category,company,department,line_description,reference';

const file = (...rows: string[]) => [HEAD, ...rows].join('\r\n');

const sides = ({ lines }: Shown) =>
  lines.map((line: Shown) => [
    line.account_code,
    line.debit - line.credit,
    line.tax_category,
    line.description,
  ]);

describe('an import of entries', () => {
  test('makes one of neighbouring rows of one date and number', async () => {
    const books = await newBooks(app);
    const done = await imported(
      books,
      file(
        '2025/4/1,8,,家賃,6250,"10,000",,P10,,,4月分,',
        '2025年4月1日,8,,,1580,１０００,,P10,,,,',
        '2025-04-01,8,,,1110,,"11,000円",,,,,',
        '2025-04-01,9,adjusting,,6410,500,,,,,,R-7',
        '2025-04-01,9,adjusting,,1690,,500,,,,,',
      ),
    );
    assert.equal(done.status, 'completed');
    assert.deepEqual([done.journal_count, done.created_count, done.error_count], [2, 5, 0]);
    const [rent, depreciation] = await entriesOf(books);
    assert.deepEqual(sides(rent), [
      ['6250', 10_000, 'P10', '4月分'],
      ['1580', 1_000, 'P10', null],
      ['1110', -11_000, 'O', null],
    ]);
    assert.deepEqual([rent.status, rent.description, rent.reference], ['draft', '家賃', '8']);
    assert.deepEqual([depreciation.kind, depreciation.reference], ['adjusting', 'R-7']);
  });

  test('knows Japanese headers, and names of companies', async () => {
    const books = await newBooks(app);
    const one = await books.post('/crm/companies', { name: '株式会社山田商店' });
    await books.post('/crm/companies', { name: '同名' });
    const other = await books.post('/crm/companies', { name: '同名' });
    const rows = [
      '伝票日付,伝票番号,勘定科目コード,借方金額,貸方金額,税区分,取引先,摘要',
      '2025-05-01,1,1220,1100,,対象外,株式会社山田商店,売上',
      '2025-05-01,1,4110,,1000,課税売上10%,株式会社山田商店,',
      '2025-05-01,1,2385,,100,S10,,',
      `2025-05-02,2,1110,50,,,同名 (${other.body.company.id}),`,
      `2025-05-02,2,1220,,50,,${one.body.company.id},`,
    ];
    const done = await imported(books, rows.join('\n'));
    assert.equal(done.created_count, 5, JSON.stringify(await faultsOf(books, done.id)));
    const [sale, receipt] = await entriesOf(books);
    const companies = (entry: Shown) => entry.lines.map(({ company_id }: Shown) => company_id);
    assert.deepEqual(companies(sale), [one.body.company.id, one.body.company.id, null]);
    assert.deepEqual(companies(receipt), [other.body.company.id, one.body.company.id]);
    assert.equal(sale.lines[1].tax_category, 'S10');
  });

  test('posts in the order of the file where it is asked to, and never past a lock', async () => {
    const books = await newBooks(app);
    await books.make('period-locks', { to: '2025-01-31', level: 'soft' });
    const rows = Array.from({ length: 300 }, (_, n) => {
      const date = n === 7 ? '2025-01-31' : '2025-06-30';
      return `${date},${n},,,6250,${n + 1},,,,,,\r\n${date},${n},,,1110,,${n + 1},,,,,`;
    });
    const content = file(...rows);
    const mine = await imported(books, content, { post: 'true' });
    assert.deepEqual([mine.journal_count, mine.error_count], [300, 0]);
    const page = (await books.get('/accounting/journals?limit=200&sort=number:asc')).body.items;
    assert.deepEqual(
      page.map(({ number, reference }: Shown) => [number, reference]),
      page.map((_: Shown, n: number) => [n + 1, String(n)]),
    );
    await assertRollups(app, books);
    const clerk = await app.actor({
      organization_id: books.organization_id,
      scopes: ['accounting:write', 'accounting:read'],
    });
    const theirs = await imported({ ...books, ...clerk }, content, { post: 'true' });
    assert.deepEqual([theirs.journal_count, theirs.error_count], [299, 2]);
    assert.deepEqual(await faultsOf(books, theirs.id), [
      [16, 'period_locked', 'date'],
      [17, 'faulty_entry', null],
    ]);
    await books.patch('/accounting/settings', { approval: { required: true } });
    const refused = await books.post('/accounting/journals/import', formWith(content, { post: 'true' }));
    assert.deepEqual([refused.status, refused.body.code], [409, 'approval_required']);
  });

  test('tells what is wrong with an entry at all of its rows, and takes the others', async () => {
    const books = await newBooks(app);
    await books.patch(
      `/accounting/accounts/${(await books.get('/accounting/accounts?code=1120')).body.items[0].id}`,
      {
        is_active: false,
      },
    );
    const done = await imported(
      books,
      file(
        '2025-07-01,1,,,6250,10,,,,,,', // 2: balanced, good
        '2025-07-01,1,,,1110,,10,,,,,',
        '2025-07-01,2,,,6250,10,,,,,,', // 4: differs by a yen
        '2025-07-01,2,,,1110,,11,,,,,',
        '2025-02-30,3,,,6250,10,,,,,,', // 6: no such day
        '2025-02-30,3,,,1110,,10,,,,,',
        '2025-07-01,4,,,9999,10,,,,,,', // 8: unknown account
        '2025-07-01,4,,,1110,,10,,,,,',
        '2025-07-01,5,,,6250,10,10,,,,,', // 10: both sides
        '2025-07-01,5,,,1110,-1,,,,,,', // negative
        '2025-07-01,6,,,6250,1.5,,X9,,,,', // 12: a fraction, an unknown category
        '2025-07-01,6,,,1110,,1234567890123,,,,,', // 13 digits
        '2025-07-01,7,,,6250,10,,,誰か,,,', // 14: unknown company
        '2025-07-01,7,,,1110,,10,,,営業部,,', // no departments yet
        '2031-07-01,8,,,6250,10,,,,,,', // 16: no year
        '2031-07-01,8,,,1110,,10,,,,,',
        '2025-07-01,9,,,1120,10,,,,,,', // 18: inactive
        '2025-07-01,9,,,1110,,10,,,,,',
        '2025-07-01,10,opening,,1110,10,,,,,,', // 20: not the first day
        '2025-07-01,10,opening,,3110,,10,,,,,',
        '2025-07-01,11,,,1110,10,,,,,,', // 22: alone
        '2025-07-01,12,closing,,1110,10,,,,,,', // 23: closes a year
        '2025-07-01,12,closing,,3330,,10,,,,,',
        '2025-07-01,13,reversal,,6250,10,,,,,,', // 25: a normal one now
        '2025-07-01,13,reversal,,1110,,10,,,,,',
        '2025-07-01,14,adjusting,,6250,10,,,,,,', // 27: of two kinds
        '2025-07-01,14,normal,,1110,,10,,,,,',
      ),
    );
    assert.equal(done.status, 'completed');
    assert.deepEqual(
      [done.journal_count, done.created_count, done.skipped_count, done.error_count, done.total_rows],
      [2, 4, 2, 21, 27],
    );
    assert.deepEqual(await faultsOf(books, done.id), [
      [4, 'unbalanced', null],
      [5, 'faulty_entry', null],
      [6, 'unknown_day', 'date'],
      [7, 'unknown_day', 'date'],
      [8, 'unknown_account', 'account_code'],
      [9, 'faulty_entry', null],
      [10, 'faulty_entry', null],
      [11, 'too_small', 'debit'],
      [12, 'invalid_format', 'debit'],
      [12, 'unknown_tax_category', 'tax_category'],
      [13, 'too_large', 'credit'],
      [14, 'unknown_reference', 'company'],
      [15, 'unknown_reference', 'department'],
      [16, 'no_fiscal_year', 'date'],
      [17, 'faulty_entry', null],
      [18, 'inactive_account', 'account_code'],
      [19, 'faulty_entry', null],
      [20, 'not_first_day', 'date'],
      [21, 'faulty_entry', null],
      [22, 'too_few_lines', null],
      [27, 'faulty_entry', null],
      [28, 'differs', 'kind'],
    ]);
    assert.deepEqual(
      (await entriesOf(books)).map(({ kind, reference }) => [kind, reference]),
      [
        ['normal', '1'],
        ['normal', '13'],
      ],
    );
  });

  test('writes nothing as a dry run, and counts the same', async () => {
    const books = await newBooks(app);
    const content = file(
      '2025-07-01,1,,,6250,10,,,,,,',
      '2025-07-01,1,,,1110,,10,,,,,',
      '2025-07-01,2,,,6250,10,,,,,,',
    );
    const tried = await imported(books, content, { dry_run: 'true', post: 'true' });
    assert.deepEqual([tried.journal_count, tried.created_count, tried.error_count], [1, 2, 1]);
    assert.deepEqual(await entriesOf(books), []);
    const done = await imported(books, content, { post: 'true' });
    assert.deepEqual([done.journal_count, done.created_count, done.error_count], [1, 2, 1]);
    assert.deepEqual(
      (await entriesOf(books)).map(({ number }) => number),
      [1],
    );
  });

  test('is taken back but for what was posted or changed since', async () => {
    const books = await newBooks(app);
    const rows = ['1', '2', '3', '4'].flatMap((n) => [
      `2025-07-01,${n},,,6250,10,,,,,,`,
      `2025-07-01,${n},,,1110,,10,,,,,`,
    ]);
    const done = await imported(books, file(...rows));
    const [, posted, changed] = await entriesOf(books);
    assert.equal((await books.act(posted.id, 'post')).status, 200);
    assert.equal(
      (await books.patch(`/accounting/journals/${changed.id}`, { description: '修正' })).status,
      200,
    );
    assert.equal((await books.post(`/accounting/imports/${done.id}/revert`)).status, 202);
    const reverted = await endOf(books, done.id);
    assert.equal(reverted.status, 'reverted');
    assert.deepEqual([reverted.revert.deleted_count, reverted.revert.left_count], [2, 2]);
    assert.deepEqual(
      (await entriesOf(books)).map(({ id }) => id),
      [posted.id, changed.id],
    );
    await assertRollups(app, books);
  });

  test('fails where a record is longer than any entry can be', async () => {
    const books = await newBooks(app);
    const rows = Array.from({ length: 20_001 }, () => '2025-07-01,1,,,6250,10,,,,,,');
    const done = await imported(books, file(...rows));
    assert.deepEqual([done.status, done.error.code, done.processed_rows], ['failed', 'record_too_long', 0]);
  });
});
