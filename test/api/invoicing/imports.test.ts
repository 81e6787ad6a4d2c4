import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import { startApp } from '../../support/app.ts';
import {
  documentFaultsOf,
  documentsOf,
  importedDocuments,
  revertedDocuments,
} from '../../support/document-imports.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

const HEAD = 'external_id,company_name,issue_date,subject,description,quantity,unit_price,tax_category';
const file = (...rows: string[]) => [HEAD, ...rows].join('\r\n');

const linesOf = ({ line_items }: Shown) =>
  line_items.map((line: Shown) => [line.description, line.quantity, line.unit_price, line.tax_category]);

const counts = ({ status, document_count, ...import_ }: Shown) => {
  const { created_count, updated_count, unchanged_count, skipped_count, error_count } = import_;
  return [status, document_count, created_count, updated_count, unchanged_count, skipped_count, error_count];
};

const imported = (seller: Seller, content: string | Uint8Array, fields: Record<string, string> = {}) =>
  importedDocuments(seller, 'invoice', content, fields);

describe('an import of invoices', () => {
  test('makes one draft of neighbouring rows of one external_id, as a call would', async () => {
    const seller = await newSeller(app);
    let done: Shown;
    const told = await toldBy(app, seller.organization_id, async () => {
      done = await imported(
        seller,
        file(
          'A-1,㈱山田商店,2026/4/30,4月分,コーヒー豆,10,"1,000",軽減8%',
          'A-1,,,,菓子,4,￥250,10%',
          'A-2,株式会社山田商店,R8/4/30,5月分,送料,,500円,',
        ),
      );
    });
    assert.deepEqual(counts(done), ['completed', 2, 3, 0, 0, 0, 0]);
    const [one, other] = await documentsOf(seller, 'invoice');
    assert.deepEqual(linesOf(one), [
      ['コーヒー豆', '10', '1000', 'reduced'],
      ['菓子', '4', '250', 'standard'],
    ]);
    assert.deepEqual([one.external_id, one.subject, one.status, one.number], ['A-1', '4月分', 'draft', null]);
    assert.deepEqual([one.totals.total, one.due_date], [10_800 + 1_100, other.due_date]);
    assert.equal(one.issue_date, other.issue_date);
    const { id, created_at, updated_at, line_items, external_id, ...sent } = await seller.draft('invoice', {
      issue_date: '2026-04-30',
      subject: '4月分',
      line_items: [
        { description: 'コーヒー豆', quantity: '10', unit_price: '1000', tax_category: 'reduced' },
        { description: '菓子', quantity: '4', unit_price: '250' },
      ],
    });
    const { id: _, created_at: __, updated_at: ___, line_items: lines, external_id: ____, ...made } = one;
    assert.deepEqual(made, sent);
    assert.deepEqual(
      lines.map(({ id: _, ...line }: Shown) => line),
      line_items.map(({ id: _, ...line }: Shown) => line),
    );
    assert.deepEqual(told.events.map(({ type }) => type).toSorted(), [
      'customer.created',
      'invoice.created',
      'invoice.created',
    ]);
    assert.deepEqual(told.audit.map(({ entity_type }) => entity_type).toSorted(), [
      'import',
      'invoice',
      'invoice',
      'job',
      'job',
    ]);
  });

  test('tells the company by its own key, its corporate number and its name', async () => {
    const seller = await newSeller(app);
    const keyed = await seller.make('/crm/companies', { name: '鍵', external_id: 'K-7' });
    const numbered = await seller.make('/crm/companies', { name: '番', corporate_number: '7000012050002' });
    await seller.make('/crm/companies', { name: '同名' });
    await seller.make('/crm/companies', { name: '同名' });
    const done = await imported(
      seller,
      [
        '請求書番号,取引先コード,法人番号,取引先名,請求日,品名,単価',
        '1,K-7,,,2026-04-30,あ,1',
        '2,,7000012050002,,2026-04-30,い,1',
        '3,,,同名,2026-04-30,う,1',
        '4,,,知らない,2026-04-30,え,1',
        '5,K-8,,株式会社山田商店,2026-04-30,お,1',
        '6,,,,2026-04-30,か,1',
      ].join('\n'),
    );
    assert.deepEqual(counts(done), ['completed', 2, 2, 0, 0, 0, 4]);
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [
      [4, 'ambiguous', '取引先名'],
      [5, 'unknown_reference', '取引先名'],
      [6, 'unknown_reference', '取引先コード'],
      [7, 'required', '取引先名'],
    ]);
    const made = await documentsOf(seller, 'invoice');
    assert.deepEqual(
      made.map(({ number, company_id }) => [number, company_id]),
      [
        ['1', keyed.id],
        ['2', numbered.id],
      ],
    );
  });

  test('changes the draft of a known external_id, leaves an equal one, and refuses an issued one', async () => {
    const seller = await newSeller(app);
    const rows = ['あ', 'い', 'う'].map((name) => `${name},株式会社山田商店,2026-04-30,件,品,2,100,`);
    await imported(seller, file(...rows));
    const [first, , third] = await documentsOf(seller, 'invoice');
    await seller.act('invoice', third.id, 'approve');
    const again = [
      'あ,,,別の件,品,2,100,',
      'あ,,,,加えた品,1,50,',
      'い,株式会社山田商店,2026-04-30,件,品,2,100,',
      'う,,,別の件,品,2,100,',
      'え,株式会社山田商店,2026-04-30,件,品,2,100,',
    ];
    const done = await imported(seller, file(...again));
    assert.deepEqual(counts(done), ['completed', 1, 1, 2, 1, 0, 1]);
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [[5, 'frozen', 'external_id']]);
    const [one, other, issued] = await documentsOf(seller, 'invoice');
    assert.deepEqual([one.id, one.subject, linesOf(one).length], [first.id, '別の件', 2]);
    assert.equal(one.line_items[0].id, first.line_items[0].id);
    assert.equal(other.updated_at, other.created_at);
    assert.deepEqual([issued.subject, issued.status], ['件', 'approved']);

    const skipped = await imported(seller, file(again[3]!), { on_conflict: 'skip' });
    assert.deepEqual(counts(skipped), ['completed', 0, 0, 0, 0, 1, 0]);
    const filled = await imported(
      seller,
      'external_id,company_name,issue_date,subject,internal_memo,description,unit_price\nあ,,2026-01-01,また別,補う,x,1',
      {
        on_conflict: 'fill_blank',
      },
    );
    assert.deepEqual(counts(filled), ['completed', 0, 0, 1, 0, 0, 0]);
    const kept = (await documentsOf(seller, 'invoice'))[0];
    assert.deepEqual([kept.subject, kept.internal_memo, kept.issue_date], ['別の件', '補う', '2026-04-30']);
    assert.deepEqual(linesOf(kept), linesOf(one));
  });

  test('sends a faulty document whole to the report, and none of it is written', async () => {
    const seller = await newSeller(app);
    const done = await imported(
      seller,
      file(
        'A,株式会社山田商店,2026-04-30,件,品,2,100,',
        'A,,,,品,二,100,',
        'B,株式会社山田商店,2026-04-30,件,品,2,,',
        'C,株式会社山田商店,2026-04-30,件,品,1,100,',
        'C,,2026-05-01,,品,1,100,',
        'D,株式会社山田商店,2026-04-30,件,品,1,100,',
        'A,株式会社山田商店,2026-04-30,件,品,2,100,',
        'E,株式会社山田商店,2018-04-30,件,品,1,100,軽減8%',
        'F,株式会社山田商店,2026-04-30,件,品,1,99999999999999999,',
        'G,株式会社山田商店,2026-04-30,件,,,,',
      ),
    );
    assert.deepEqual(counts(done), ['completed', 1, 1, 0, 0, 0, 9]);
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [
      [2, 'faulty_document', null],
      [3, 'invalid_format', 'quantity'],
      [4, 'required', 'unit_price'],
      [5, 'faulty_document', null],
      [6, 'rows_differ', 'issue_date'],
      [8, 'repeated_document', 'external_id'],
      [9, 'tax_category_not_in_force', 'tax_category'],
      [10, 'out_of_range', 'unit_price'],
      [11, 'no_lines', null],
    ]);
    assert.deepEqual(
      (await documentsOf(seller, 'invoice')).map(({ external_id }) => external_id),
      ['D'],
    );
  });

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
    assert.deepEqual(counts(done), ['completed', 2, 5, 0, 0, 0, 0]);
    const [one, other] = await documentsOf(seller, 'invoice');
    assert.deepEqual(linesOf(one), [
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
    assert.deepEqual([other.honorific, other.number, linesOf(other).length], ['様', null, 1]);
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
    assert.deepEqual(counts(done), ['completed', 1, 2, 0, 0, 0, 2]);
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [
      [4, 'other_kind', '書類種別'],
      [5, 'other_kind', '書類種別'],
    ]);
    const [one] = await documentsOf(seller, 'invoice');
    assert.deepEqual([one.tax_display_mode, one.totals.total, one.number], ['inclusive', 2_200, 'F-1']);
  });

  test('refuses a number that another document has, and passes over those given by hand', async () => {
    const seller = await newSeller(app);
    await seller.settings({ numbering: { invoice: { assign_on: 'create' } } });
    await seller.draft('invoice', { number: 'INV-2026-0003' });
    const done = await imported(
      seller,
      [
        'external_id,number,company_name,issue_date,description,unit_price',
        'A,,株式会社山田商店,2026-04-30,x,1',
        'B,INV-2026-0002,株式会社山田商店,2026-04-30,x,1',
        'C,,株式会社山田商店,2026-04-30,x,1',
        'D,INV-2026-0003,株式会社山田商店,2026-04-30,x,1',
        'E,INV-2026-0002,株式会社山田商店,2026-04-30,x,1',
        'F,,株式会社山田商店,2026-04-30,x,1',
      ].join('\n'),
    );
    assert.deepEqual(counts(done), ['completed', 4, 4, 0, 0, 0, 2]);
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [
      [5, 'already_exists', 'number'],
      [6, 'already_exists', 'number'],
    ]);
    const made = (await documentsOf(seller, 'invoice')).filter(({ external_id }) => external_id !== null);
    assert.deepEqual(
      made.map(({ external_id, number }) => [external_id, number]),
      [
        ['A', 'INV-2026-0001'],
        ['B', 'INV-2026-0002'],
        ['C', 'INV-2026-0004'],
        ['F', 'INV-2026-0005'],
      ],
    );
  });

  test('is undone: drafts go, changed ones are as before, issued ones stay', async () => {
    const seller = await newSeller(app);
    await imported(seller, file('旧,株式会社山田商店,2026-04-30,元,品,2,100,'));
    const [before] = await documentsOf(seller, 'invoice');
    const done = await imported(
      seller,
      file(
        '旧,株式会社山田商店,2026-05-31,新しい件,別の品,3,200,軽減8%',
        '甲,株式会社山田商店,2026-04-30,件,品,1,100,',
        '乙,株式会社山田商店,2026-04-30,件,品,1,100,',
        '丙,株式会社山田商店,2026-04-30,件,品,1,100,',
      ),
    );
    assert.deepEqual(counts(done), ['completed', 3, 3, 1, 0, 0, 0]);
    const byKey = async () =>
      new Map((await documentsOf(seller, 'invoice')).map((one) => [one.external_id, one]));
    const made = await byKey();
    await seller.act('invoice', made.get('甲').id, 'approve');
    assert.equal((await seller.patch(`/invoices/${made.get('乙').id}`, { memo: '手直し' })).status, 200);
    const { revert, status } = await revertedDocuments(seller, 'invoice', done.id);
    assert.deepEqual(revert, {
      deleted_count: 1,
      restored_count: 1,
      removed_membership_count: 0,
      left_count: 2,
    });
    assert.equal(status, 'reverted');
    const left = await byKey();
    assert.deepEqual([...left.keys()].toSorted(), ['旧', '甲', '乙'].toSorted());
    const { updated_at, line_items, ...restored } = left.get('旧');
    const { updated_at: _, line_items: lines, ...was } = before;
    assert.deepEqual(restored, was);
    assert.deepEqual(linesOf({ line_items }), linesOf({ line_items: lines }));
  });

  test('writes nothing in a dry run, and finds the same faults', async () => {
    const seller = await newSeller(app);
    const done = await imported(
      seller,
      file('A,株式会社山田商店,2026-04-30,件,品,1,100,', 'B,誰か,2026-04-30,件,品,1,100,'),
      { dry_run: 'true' },
    );
    assert.deepEqual(counts(done), ['completed', 1, 1, 0, 0, 0, 1]);
    assert.deepEqual(await documentsOf(seller, 'invoice'), []);
  });

  test('keeps the lines of a draft that was made of other documents', async () => {
    const seller = await newSeller(app);
    const note = await seller.after('delivery_note', ['deliver']);
    const { body } = await seller.post('/delivery-notes/convert', { delivery_note_ids: [note.id] });
    const invoice = body.invoice ?? (await seller.act('delivery_note', note.id, 'convert')).body.invoice;
    await seller.patch(`/invoices/${invoice.id}`, { external_id: 'X' });
    const done = await imported(seller, file('X,,,新しい件,別の品,3,200,'));
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [[2, 'made_of_others', null]]);
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
      assert.deepEqual(counts(done), ['completed', 1, 1, 0, 0, 0, 0]);
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
