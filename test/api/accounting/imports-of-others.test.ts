import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBooks } from '../../support/books.ts';
import { entriesOf, faultsOf, imported } from '../../support/journal-imports.ts';
import { until } from '../../support/until.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

const sides = ({ lines }: Shown) =>
  lines.map((line: Shown) => [line.account_code, line.debit - line.credit, line.tax_category]);

describe('an import of entries', () => {
  test('takes files of other programs, with both sides in a row, names for accounts, and tax in the amounts', async () => {
    const books = await newBooks(app);
    await books.post('/crm/companies', { name: '港文具株式会社' });
    const rows = [
      '取引No,取引日,借方勘定科目,借方税区分,借方金額(円),借方取引先,貸方勘定科目,貸方税区分,貸方金額(円),貸方取引先,摘要,メモ',
      '1,2025/04/10,消耗品費,課税仕入 10%,11000,港文具株式会社,普通預金,対象外,11000,,文具,',
      '2,20250411,普通預金,対象外,22000,,売上高,課税売上 10%,22000,,売上,',
      '3,R7/4/12,旅費交通費,課税仕入 10%,5500,,現金,対象外,7500,,出張,',
      '3,R7/4/12,会議費,課税仕入 (軽)8%,2000,,,,,,出張,',
    ];
    const done = await imported(books, rows.join('\r\n'), { auto_tax: 'true' });
    assert.deepEqual(
      [done.journal_count, done.created_count],
      [3, 4],
      JSON.stringify(await faultsOf(books, done.id)),
    );
    const [stationery, sale, trip] = await entriesOf(books);
    assert.deepEqual(sides(stationery), [
      ['6250', 10_000, 'P10'],
      ['1580', 1_000, 'P10'],
      ['1140', -11_000, 'O'],
    ]);
    assert.ok(stationery.lines[0].company_id && !stationery.lines[2].company_id);
    assert.deepEqual(sides(sale), [
      ['1140', 22_000, 'O'],
      ['4110', -20_000, 'S10'],
      ['2385', -2_000, 'S10'],
    ]);
    assert.deepEqual([trip.total, trip.date, trip.reference], [7_500, '2025-04-12', '3']);
  });

  test('says what is meant where a file has both sides in a row and one account is mapped', async () => {
    const books = await newBooks(app);
    const file =
      '日付,番号,借方勘定科目コード,借方金額,貸方勘定科目コード,貸方金額\n2025-04-10,1,6250,11000,1140,11000\n';
    const mapping = JSON.stringify({
      日付: 'date',
      番号: 'number',
      借方勘定科目コード: 'account_code',
      借方金額: 'debit',
      貸方金額: 'credit',
    });
    const done = await imported(books, file, { options: JSON.stringify({ mapping: JSON.parse(mapping) }) });
    assert.deepEqual(await faultsOf(books, done.id), [
      [2, 'both_sides', '貸方金額'],
      [2, 'too_few_lines', null],
    ]);
    const refused = await books.post('/accounting/journals/import', formWith('日付,金額\n2025-04-10,5\n'));
    assert.equal(refused.status, 422);
    assert.match(refused.body.errors[0].message, /account_code, or to debit_account and credit_account/);
  });

  test('takes a mended report as it is: its remarks are no columns of the entries', async () => {
    const books = await newBooks(app);
    const lines = [
      '日付,勘定科目コード,借方金額,貸方金額,摘要',
      ...['9998', '9997'].flatMap((code, n) => [
        `2025-05-10,${code},${n + 1}000,,無番${n}`,
        `2025-05-10,1110,,${n + 1}000,無番${n}`,
      ]),
    ];
    const failed = await imported(books, lines.join('\n'));
    assert.equal(failed.journal_count, 0);
    const report = await until('the report is written', async () => {
      const reply = await books.get(`/accounting/imports/${failed.id}/errors?format=csv&lang=ja`);
      return reply.status === 200 && reply.text;
    });
    const done = await imported(books, report.replaceAll(/999[78]/g, '6250'));
    assert.deepEqual([done.journal_count, done.error_count], [2, 0]);
    assert.equal(done.mapping['行'], undefined);
  });
});
