import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { exported, rowsOf, startExportWorkers } from '../../support/exports.ts';

const app = await startApp();
const workers = await startExportWorkers(app);
test.after(() => workers.stop());

const owner = await app.actor();

async function made(path: string, body: Record<string, unknown>) {
  const { status, body: answer, text } = await owner.post(path, body);
  assert.equal(status, 201, text);
  return Object.values(answer)[0] as Record<string, unknown>;
}

const company = await made('/crm/companies', { name: '=株式会社山田商店' });
const other = await made('/crm/companies', { name: '鈴木青果' });

const mixed = await made('/invoices', {
  company_id: company['id'],
  issue_date: '2026-04-01',
  subject: '四月分',
  due_date: '2026-05-31',
  line_items: [
    { description: '林檎', quantity: '3', unit: '箱', unit_price: '627', tax_category: 'reduced' },
    { type: 'text', description: '以下は役務' },
    { description: '配送', unit_price: '6600', withholding: true },
  ],
});
const registration = { issuer_registration_number: 'T7000012050002' };
assert.equal((await owner.patch('/invoice-settings', registration)).status, 200);
const small = await made('/invoices', {
  company_id: other['id'],
  issue_date: '2026-05-01',
  line_items: [{ description: '-10% 値引', unit_price: '-1000' }],
});

describe('202, and the file', () => {
  test('a document a row, its tax by category, in the order of the list', async () => {
    const { bytes, job, response } = await exported(app, owner, '/invoices', {
      sort: 'issue_date',
      order: 'asc',
    });
    assert.equal(job.kind, 'invoicing.invoices.export');
    assert.match(
      decodeURIComponent(response.headers.get('content-disposition')!),
      /請求書_\d{4}-\d\d-\d\d_\d{4}_\w{6}\.csv$/,
    );
    const rows = rowsOf(bytes);
    assert.deepEqual(
      rows.map(({ id }) => id),
      [mixed['id'], small['id']],
    );
    const [row] = rows;
    const shown = { ...mixed, ...(mixed['totals'] as Record<string, unknown>) } as Record<string, unknown>;
    for (const field of ['subtotal', 'tax', 'total', 'withholding_tax', 'amount_due', 'balance', 'subject']) {
      assert.equal(row![field], String(shown[field]), field);
    }
    assert.equal(row!['company_name'], "'=株式会社山田商店");
    assert.equal(row!['number'], '');
    assert.equal(row!['issuer_registration_number'], 'T7000012050002', 'a draft follows the settings');
    assert.equal(row!['due_date'], '2026-05-31');
    assert.equal(row!['tax_breakdown.standard.net'], '6600');
    assert.equal(row!['tax_breakdown.reduced.tax'], '150');
    assert.equal(row!['tax_breakdown.exempt.net'], '');
  });

  test('a line a row, in the order of each document', async () => {
    const { bytes, job } = await exported(app, owner, '/invoices', { rows: 'lines' });
    assert.equal(job.kind, 'invoicing.invoice_lines.export');
    const rows = rowsOf(bytes);
    assert.deepEqual(
      rows.map(({ document_id, position, description, amount }) => [
        document_id,
        position,
        description,
        amount,
      ]),
      [
        [small['id'], '1', "'-10% 値引", '-1000'],
        [mixed['id'], '1', '林檎', '1881'],
        [mixed['id'], '2', '以下は役務', ''],
        [mixed['id'], '3', '配送', '6600'],
      ],
    );
    const [, apples, text] = rows;
    assert.deepEqual(
      [
        apples!['quantity'],
        apples!['unit'],
        apples!['unit_price'],
        apples!['tax_category'],
        apples!['tax_rate'],
      ],
      ['3', '箱', '627', 'reduced', '8'],
    );
    assert.deepEqual([text!['type'], text!['quantity'], text!['tax_category']], ['text', '', '']);
    assert.equal(rows[3]!['withholding'], 'true');
  });

  test('what the filters of the list leave: of documents and of lines', async () => {
    const asked = { company_id: other['id'], status: 'draft', overdue: false };
    const documents = rowsOf((await exported(app, owner, '/invoices', asked)).bytes);
    assert.deepEqual(
      documents.map(({ id }) => id),
      [small['id']],
    );
    const lines = rowsOf((await exported(app, owner, '/invoices', { ...asked, rows: 'lines' })).bytes);
    assert.deepEqual(
      lines.map(({ document_id }) => document_id),
      [small['id']],
    );
    const found = await exported(app, owner, '/invoices', {
      search: '四月',
      rows: 'lines',
      columns: ['position'],
    });
    assert.equal(found.bytes.toString(), '\ufeffposition\r\n1\r\n2\r\n3\r\n');
  });

  test('every kind has both', async () => {
    for (const path of ['/quotations', '/delivery-notes', '/purchase-orders']) {
      const document = await made(path, {
        company_id: company['id'],
        issue_date: '2026-04-01',
        line_items: [{ description: path, unit_price: '100' }],
      });
      const [row] = rowsOf((await exported(app, owner, path)).bytes);
      assert.equal(row!['id'], document['id']);
      assert.equal(row!['number'], document['number']);
      const [line] = rowsOf((await exported(app, owner, path, { rows: 'lines' })).bytes);
      assert.deepEqual([line!['document_id'], line!['description']], [document['id'], path]);
    }
  });
});

describe('the file of credit notes', () => {
  test('names the invoice and why; its lines those of the invoice', async () => {
    assert.equal((await owner.post(`/invoices/${mixed['id']}/approve`)).status, 200);
    const credited = await owner.post(`/invoices/${mixed['id']}/credit-notes`, { reason: '返品のため' });
    assert.equal(credited.status, 201, credited.text);
    const [row] = rowsOf((await exported(app, owner, '/credit-notes')).bytes);
    assert.deepEqual([row!['invoice_id'], row!['reason']], [mixed['id'], '返品のため']);
    assert.equal(row!['total'], String(credited.body.credit_note.totals.total));
    const lines = rowsOf((await exported(app, owner, '/credit-notes', { rows: 'lines' })).bytes);
    assert.deepEqual(
      lines.map(({ description }) => description),
      ['林檎', '以下は役務', '配送'],
    );
  });
});

describe('422', () => {
  test('other rows, a filter as text that is none, a column that only the lines have', async () => {
    for (const [body, path] of [
      [{ rows: 'payments' }, '/rows'],
      [{ overdue: 'yes' }, '/overdue'],
      [{ columns: ['position'] }, '/columns/0'],
      [{ rows: 'lines', columns: ['balance'] }, '/columns/0'],
    ] as const) {
      const { status, body: problem } = await owner.post('/invoices/export', body);
      assert.equal(status, 422);
      assert.equal(problem.errors[0].path, path);
    }
  });
});
