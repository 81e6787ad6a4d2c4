import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import { startApp } from '../../support/app.ts';
import {
  countsOf,
  documentFaultsOf,
  documentsOf,
  importedDocuments,
  saidByLines,
} from '../../support/document-imports.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

const imported = (seller: Seller, content: string | Uint8Array, fields: Record<string, string> = {}) =>
  importedDocuments(seller, 'invoice', content, fields);

describe('an import of invoices of other programs', () => {
  test('reads the files of Money Forward, in Shift_JIS, whose lines follow a row of the document', async () => {
    const seller = await newSeller(app);
    const text = [
      'csv_type(変更不可),行形式,取引先名称,件名,請求日,お支払期限,請求書番号,売上計上日,メモ,タグ,小計,消費税,合計金額,取引先敬称,備考,振込先,納品日,品名,品目コード,単価,数量,単位,納品書番号,詳細,金額,品目消費税率',
      '40101,請求書,株式会社山田商店,4月分,2026/04/30,2026/05/31,M-1,2026/04/30,社内,,1100,110,1210,御中,備考です,,,,,,,,,,,',
      '40101,品目,,,,,,,,,,,,,,,2026/04/10,コーヒー豆,CB-1,100,10,袋,,,1000,8%',
      '40101,品目,,,,,,,,,,,,,,,,送料,,100,1,式,,,100,10%',
      '40101,請求書,株式会社山田商店,4月分,2026/04/30,2026/05/31,,2026/04/30,,,100,10,110,様,,,,,,,,,,,,',
      '40101,品目,,,,,,,,,,,,,,,,手数料,,100,1,式,,,100,10%',
    ].join('\r\n');
    const done = await imported(seller, iconv.encode(text, 'cp932'));
    assert.deepEqual(countsOf(done), ['completed', 2, 5, 0, 0, 0, 0]);
    const [one, other] = await documentsOf(seller, 'invoice');
    assert.deepEqual(saidByLines(one), [
      ['コーヒー豆', '10', '100', 'reduced'],
      ['送料', '1', '100', 'standard'],
    ]);
    const { number, due_date, memo, internal_memo, honorific, transaction_date } = one;
    assert.deepEqual(
      { number, due_date, memo, internal_memo, honorific, transaction_date },
      {
        number: 'M-1',
        due_date: '2026-05-31',
        memo: '備考です',
        internal_memo: '社内',
        honorific: '御中',
        transaction_date: '2026-04-30',
      },
    );
    assert.deepEqual([other.honorific, other.number, saidByLines(other).length], ['様', null, 1]);
  });

  test('reads the files of freee, which name the kind of document', async () => {
    const seller = await newSeller(app);
    const done = await imported(
      seller,
      [
        'csv_type(変更不可),書類種別,行形式,件名,発行日,期限,番号,計上日,取引先敬称,取引先名称,備考,振込先,内税/外税,品名,単価,数量,単位,金額',
        '20101,請求書,本文,4月分,2026-04-30,2026-05-31,F-1,2026-04-30,御中,株式会社山田商店,,,内税,,,,,',
        '20101,請求書,明細,,,,,,,,,,,コーヒー豆,1100,2,袋,2200',
        '20101,見積書,本文,4月分,2026-04-30,2026-05-31,F-2,2026-04-30,御中,株式会社山田商店,,,内税,,,,,',
        '20101,見積書,明細,,,,,,,,,,,コーヒー豆,1100,2,袋,2200',
      ].join('\r\n'),
    );
    assert.deepEqual(countsOf(done), ['completed', 1, 2, 0, 0, 0, 2]);
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [
      [4, 'other_kind', '書類種別'],
      [5, 'other_kind', '書類種別'],
    ]);
    const [one] = await documentsOf(seller, 'invoice');
    assert.deepEqual([one.tax_display_mode, one.totals.total, one.number], ['inclusive', 2_200, 'F-1']);
  });
});

describe('imports of the other kinds', () => {
  test('take their own columns', async () => {
    const seller = await newSeller(app);
    const quotation = await importedDocuments(
      seller,
      'quotation',
      '見積番号,見積先,見積日,有効期限,品名,単価\nQ-1,株式会社山田商店,2026-04-01,2026-04-30,品,100',
    );
    const note = await importedDocuments(
      seller,
      'delivery_note',
      '納品書番号,納品先,納品日,納品場所,品名,単価,金額の表示\n,株式会社山田商店,2026-04-10,千代田倉庫,品,100,なし',
    );
    const order = await importedDocuments(
      seller,
      'purchase_order',
      '発注番号,発注先,発注日,納期,支払条件,品名,単価\nP-1,株式会社山田商店,2026-04-01,2026-04-20,月末締め,品,100',
    );
    for (const done of [quotation, note, order])
      assert.deepEqual(countsOf(done), ['completed', 1, 1, 0, 0, 0, 0]);
    const [one] = await documentsOf(seller, 'quotation');
    assert.deepEqual([one.number, one.issue_date, one.due_date], ['Q-1', '2026-04-01', '2026-04-30']);
    const [two] = await documentsOf(seller, 'delivery_note');
    const { number, issue_date, delivery_date, delivery_place, show_prices } = two;
    assert.deepEqual(
      { number, issue_date, delivery_date, delivery_place, show_prices },
      {
        number: 'DN-2026-0001',
        issue_date: '2026-04-10',
        delivery_date: '2026-04-10',
        delivery_place: '千代田倉庫',
        show_prices: false,
      },
    );
    const [three] = await documentsOf(seller, 'purchase_order');
    assert.deepEqual(
      [three.number, three.delivery_date, three.payment_terms_text],
      ['P-1', '2026-04-20', '月末締め'],
    );
    const { items } = (await seller.get('/quotations/imports')).body;
    assert.deepEqual(
      items.map(({ id }: Shown) => id),
      [quotation.id],
    );
    assert.equal((await seller.get(`/invoices/imports/${quotation.id}`)).status, 404);
  });

  test('are previewed, and refused where a needed column is missing', async () => {
    const seller = await newSeller(app);
    const { body } = await seller.post(
      '/invoices/import/preview',
      formWith('取引先名,請求日,品名,単価\nA,2026-04-01,x,1'),
    );
    assert.deepEqual(body.preview.mapping, {
      取引先名: 'company_name',
      請求日: 'issue_date',
      品名: 'description',
      単価: 'unit_price',
    });
    const refused = await seller.post('/invoices/import', formWith('請求日,品名,単価\n2026-04-01,x,1'));
    assert.equal(refused.status, 422);
    assert.match(refused.body.errors[0].message, /company_name.*company_external_id/);
  });
});
