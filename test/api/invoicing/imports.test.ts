import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import {
  countsOf,
  documentFaultsOf,
  documentsOf,
  importedDocuments,
  revertedDocuments,
  saidByLines,
} from '../../support/document-imports.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';
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
    assert.deepEqual(countsOf(done), ['completed', 2, 3, 0, 0, 0, 0]);
    const [one, other] = await documentsOf(seller, 'invoice');
    assert.deepEqual(saidByLines(one), [
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
    assert.deepEqual(countsOf(done), ['completed', 2, 2, 0, 0, 0, 4]);
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
    assert.deepEqual(countsOf(done), ['completed', 1, 1, 2, 1, 0, 1]);
    assert.deepEqual(await documentFaultsOf(seller, 'invoice', done.id), [[5, 'frozen', 'external_id']]);
    const [one, other, issued] = await documentsOf(seller, 'invoice');
    assert.deepEqual([one.id, one.subject, saidByLines(one).length], [first.id, '別の件', 2]);
    assert.equal(one.line_items[0].id, first.line_items[0].id);
    assert.equal(other.updated_at, other.created_at);
    assert.deepEqual([issued.subject, issued.status], ['件', 'approved']);

    const skipped = await imported(seller, file(again[3]!), { on_conflict: 'skip' });
    assert.deepEqual(countsOf(skipped), ['completed', 0, 0, 0, 0, 1, 0]);
    const filled = await imported(
      seller,
      'external_id,company_name,issue_date,subject,internal_memo,description,unit_price\nあ,,2026-01-01,また別,補う,x,1',
      {
        on_conflict: 'fill_blank',
      },
    );
    assert.deepEqual(countsOf(filled), ['completed', 0, 0, 1, 0, 0, 0]);
    const kept = (await documentsOf(seller, 'invoice'))[0];
    assert.deepEqual([kept.subject, kept.internal_memo, kept.issue_date], ['別の件', '補う', '2026-04-30']);
    assert.deepEqual(saidByLines(kept), saidByLines(one));
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
    assert.deepEqual(countsOf(done), ['completed', 1, 1, 0, 0, 0, 9]);
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
    assert.deepEqual(countsOf(done), ['completed', 4, 4, 0, 0, 0, 2]);
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
    assert.deepEqual(countsOf(done), ['completed', 3, 3, 1, 0, 0, 0]);
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
    assert.deepEqual(saidByLines({ line_items }), saidByLines({ line_items: lines }));
  });

  test('writes nothing in a dry run, and finds the same faults', async () => {
    const seller = await newSeller(app);
    const done = await imported(
      seller,
      file('A,株式会社山田商店,2026-04-30,件,品,1,100,', 'B,誰か,2026-04-30,件,品,1,100,'),
      { dry_run: 'true' },
    );
    assert.deepEqual(countsOf(done), ['completed', 1, 1, 0, 0, 0, 1]);
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
