import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { allocate, approvedInvoices } from '../../support/deposit-calls.ts';
import { depositCountsOf, importedDeposits } from '../../support/deposit-imports.ts';
import { newSeller } from '../../support/documents.ts';
import { exported, rowsOf } from '../../support/exports.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

/** An organization with a deposit that pays an invoice and waits with its rest, and one that nobody knows. */
async function withMoney() {
  const seller = await newSeller(app);
  const [invoice] = await approvedInvoices(seller, 1);
  const known = await seller.make('/deposits', {
    amount: 20_000,
    received_on: '2026-05-31',
    payer_name: 'ｶ)ﾔﾏﾀﾞｼﾖｳﾃﾝ',
    bank_reference: '0042',
    external_id: 'B-1',
    metadata: { erp_id: '4711' },
  });
  const reply = await allocate(seller, known, {
    allocations: [{ invoice_id: invoice.id, amount: 12_080 }],
    fee_amount: 440,
  });
  assert.equal(reply.status, 201, reply.text);
  const refund = await seller.post(`/deposits/${known.id}/refunds`, { amount: 1_000 });
  assert.equal(refund.status, 201, refund.text);
  const unknown = await seller.make('/deposits', { amount: 300, received_on: '2026-06-01', method: 'cash' });
  return { seller, invoice, known, unknown };
}

describe('202, and the file', () => {
  test('a deposit a row, with what it has left, in the order of the list', async () => {
    const { seller, known, unknown } = await withMoney();
    const { bytes, job, response } = await exported(app, seller, '/deposits', { sort: 'received_on:asc' });
    assert.equal(job.kind, 'invoicing.deposits.export');
    assert.match(
      decodeURIComponent(response.headers.get('content-disposition')!),
      /入金_[\d_-]+_\w{6}\.csv$/,
    );
    const [one, other, ...more] = rowsOf(bytes);
    assert.deepEqual(more, []);
    const { created_at, updated_at, created_by, ...said } = one!;
    assert.deepEqual(said, {
      id: known.id,
      external_id: 'B-1',
      received_on: '2026-05-31',
      payer_name: 'ｶ)ﾔﾏﾀﾞｼﾖｳﾃﾝ',
      amount: '20000',
      fee_amount: '440',
      allocated: '12080',
      refunded: '1000',
      unallocated: '7360',
      method: 'bank_transfer',
      bank_reference: '0042',
      company_id: seller.company.id,
      company_name: '株式会社山田商店',
      note: '',
      metadata: '{"erp_id": "4711"}',
    });
    assert.deepEqual([other!['id'], other!['company_name'], other!['unallocated']], [unknown.id, '', '300']);
    const open = await exported(app, seller, '/deposits', {
      has_unallocated: true,
      received_to: '2026-05-31',
    });
    assert.deepEqual(
      rowsOf(open.bytes).map(({ id }) => id),
      [known.id],
    );
  });

  test('what the import of a statement reads as it is', async () => {
    const { seller } = await withMoney();
    const { bytes } = await exported(app, seller, '/deposits', { lang: 'ja' });
    const [row] = rowsOf(bytes);
    assert.equal(row!['振込依頼人名'], '');
    assert.equal(row!['入金方法'], '現金');
    const again = await importedDeposits(seller, bytes);
    assert.deepEqual(depositCountsOf(again), ['completed', 0, 0, 2, 0]);
  });

  test('a payment a row, with its invoice and its deposit', async () => {
    const { seller, invoice, known } = await withMoney();
    const { bytes, job } = await exported(app, seller, '/payments', { company_id: seller.company.id });
    assert.equal(job.kind, 'invoicing.payments.export');
    const [{ id, paid_on, paid_at, created_by, created_at, updated_at, ...said } = {}, ...more] =
      rowsOf(bytes);
    assert.deepEqual(more, []);
    assert.deepEqual(said, {
      external_id: '',
      invoice_id: invoice.id,
      invoice_number: invoice.number,
      company_id: seller.company.id,
      company_name: '株式会社山田商店',
      amount: '12080',
      received_amount: '11640',
      method: 'bank_transfer',
      fee_amount: '440',
      fee_borne_by: 'us',
      withheld_amount: '0',
      note: '',
      deposit_id: known.id,
      metadata: '{}',
    });
  });
});

describe('in Japanese', () => {
  test('statuses, ways of payment and of tax are words of an office', async () => {
    const { seller } = await withMoney();
    const rowOf = async (path: string, body = {}) =>
      rowsOf((await exported(app, seller, path, { lang: 'ja', ...body })).bytes)[0]!;
    const payment = await rowOf('/payments');
    assert.deepEqual([payment['入金方法'], payment['手数料の負担']], ['銀行振込', '自社']);
    const invoice = await rowOf('/invoices');
    assert.deepEqual(
      ['状態', '税の表示', '税の端数処理', '源泉徴収の計算'].map((header) => invoice[header]),
      ['入金済み', '外税', '切り捨て', 'なし'],
    );
    const line = await rowOf('/invoices', {
      rows: 'lines',
      columns: ['type', 'tax_category', 'withholding'],
    });
    assert.deepEqual(line, { 行の種類: '品目', 税区分: '標準税率', 源泉徴収の対象: 'いいえ' });
  });

  test('the ages of what companies owe have titles where Japanese is asked for, and names of members else', async () => {
    const { seller } = await withMoney();
    await approvedInvoices(seller, 1);
    const headerOf = async (query: string) => {
      const { status, text } = await seller.get(`/invoices/ageing?format=csv${query}`);
      assert.equal(status, 200, text);
      return text.replace('\ufeff', '').split('\r\n')[0];
    };
    const members = 'company_id,name,not_due,1_30,31_60,61_90,91_plus,balance';
    assert.equal(await headerOf(''), members);
    assert.equal(await headerOf('&lang=en'), members);
    assert.equal(
      await headerOf('&lang=ja'),
      '取引先ID,取引先,期限前,1〜30日,31〜60日,61〜90日,91日以上,残高',
    );
  });
});

test('403 without the scope, as for the lists', async () => {
  const { organization_id } = (await app.actor()).actor;
  const reader = await app.actor({ organization_id, scopes: ['crm:read'] });
  for (const path of ['/deposits/export', '/payments/export']) {
    assert.equal((await reader.post(path, {})).status, 403);
  }
});
