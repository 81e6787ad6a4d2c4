import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

// 2026-04-10 in UTC is the next day in Tokyo.
const app = await startApp({ now: () => new Date('2026-04-10T20:00:00Z') });

const ACCOUNT = {
  bank: 'みずほ銀行',
  branch: '本店',
  type: 'ordinary',
  number: '1234567',
  holder: 'テスト（カ',
};

describe('a quotation becomes an invoice', () => {
  test('with its customer, words, lines and modes, of today, and due by the terms', async () => {
    const seller = await newSeller(app);
    await seller.patch(`/crm/companies/${seller.company.id}`, {
      payment_terms: { closing_day: 20, months_later: 1, pay_day: 10 },
    });
    const contact = await seller.make('/crm/contacts', { first_name: '花子', last_name: '山田' });
    const quotation = await seller.after('quotation', ['send', 'accept'], {
      contact_id: contact.id,
      honorific: '様',
      subject: '春の豆',
      memo: '送料込み',
      internal_memo: '値引き済み',
      bank_account: ACCOUNT,
      tax_display_mode: 'inclusive',
      tax_rounding: 'ceil',
      withholding_mode: 'net',
      issue_date: '2026-03-01',
      transaction_date: '2026-03-05',
      line_items: [
        { type: 'text', description: '4月分' },
        {
          description: '豆',
          quantity: '3',
          unit_price: '627',
          tax_category: 'reduced',
          unit: '袋',
          item_code: 'B',
        },
        { description: '講演', unit_price: '6600', withholding: true },
      ],
    });
    const reply = await seller.act('quotation', quotation.id, 'convert');
    assert.equal(reply.status, 201, reply.text);
    const { invoice } = reply.body;
    assert.equal(reply.headers.get('location'), `/api/v1/invoices/${invoice.id}`);
    for (const field of [
      'company_id',
      'contact_id',
      'honorific',
      'subject',
      'memo',
      'internal_memo',
      'bank_account',
      'tax_display_mode',
      'tax_rounding',
      'withholding_mode',
      'totals',
    ]) {
      assert.deepEqual(invoice[field], quotation[field], field);
    }
    const { status, number, issue_date, transaction_date, due_date, sent_at, company_snapshot, pdf } =
      invoice;
    assert.deepEqual(
      [status, number, sent_at, company_snapshot, pdf.status],
      ['draft', null, null, null, 'none'],
    );
    assert.deepEqual([issue_date, transaction_date, due_date], ['2026-04-11', '2026-04-11', '2026-05-10']);
    const expected = quotation.line_items.map(({ id, ...line }: { id: string }) => ({
      ...line,
      source_line_id: id,
    }));
    assert.deepEqual(
      invoice.line_items.map(({ id, ...line }: { id: string }) => line),
      expected,
    );
    assert.deepEqual(invoice.source, [{ type: 'quotation', id: quotation.id }]);
    const now = await seller.read('quotation', quotation.id);
    assert.deepEqual(now.converted_to, [{ type: 'invoice', id: invoice.id }]);
    assert.equal(now.status, 'accepted');
  });

  test('which is told as invoice.created and conversion.completed', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('quotation', ['send', 'accept']);
    const { events, audit } = await toldBy(app, seller.organization_id, () =>
      seller.act('quotation', id, 'convert'),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['invoice.created', 'conversion.completed'],
    );
    const [created, completed] = events;
    assert.deepEqual(completed!.data, {
      source_type: 'quotation',
      source_id: id,
      target_type: 'invoice',
      target_id: created!.data.id,
    });
    const made = (await seller.get(`/invoices/${created!.data.id}`)).body.invoice;
    assert.deepEqual(made.source, [{ type: 'quotation', id }]);
    assert.deepEqual(
      audit.map(({ entity_type, action }) => [entity_type, action]),
      [['invoice', 'create']],
    );
  });

  test('in which the body may override any field, the lines too', async () => {
    const seller = await newSeller(app);
    const other = await seller.make('/crm/companies', { name: '別会社' });
    const { id } = await seller.after('quotation', ['send', 'accept'], { memo: '見積の備考' });
    const { body } = await seller.act('quotation', id, 'convert', {
      company_id: other.id,
      number: '手-1',
      issue_date: '2026-05-01',
      transaction_period: { from: '2026-04-01', to: '2026-04-30' },
      due_date: '2026-07-31',
      memo: null,
      line_items: [{ description: '一式', unit_price: '5000' }],
    });
    const { company_id, number, issue_date, transaction_period, due_date, memo, totals, line_items } =
      body.invoice;
    assert.deepEqual(
      [company_id, number, issue_date, due_date, memo],
      [other.id, '手-1', '2026-05-01', '2026-07-31', null],
    );
    assert.deepEqual(transaction_period, { from: '2026-04-01', to: '2026-04-30' });
    assert.equal(totals.total, 5500);
    assert.equal(line_items[0].source_line_id, null);
    assert.equal((await seller.act('quotation', id, 'convert')).body.code, 'already_converted');
  });

  test('again only after that was deleted or cancelled', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('quotation', ['send', 'accept']);
    const first = (await seller.act('quotation', id, 'convert')).body.invoice;
    const { status, body } = await seller.act('quotation', id, 'convert');
    assert.deepEqual([status, body.code], [409, 'already_converted']);
    assert.deepEqual(body.converted_to, [{ type: 'invoice', id: first.id }]);
    await seller.delete(`/invoices/${first.id}`);
    assert.deepEqual((await seller.read('quotation', id)).converted_to, []);
    const second = (await seller.act('quotation', id, 'convert')).body.invoice;
    await seller.act('invoice', second.id, 'approve');
    assert.equal((await seller.act('quotation', id, 'convert')).status, 409);
    await seller.act('invoice', second.id, 'cancel', { reason: '誤り' });
    assert.deepEqual((await seller.read('quotation', id)).converted_to, []);
    assert.equal((await seller.act('quotation', id, 'convert')).status, 201);
  });

  test('not with a company of another organization, two kinds of dates, or unknown fields', async () => {
    const [seller, other] = [await newSeller(app), await newSeller(app)];
    const { id } = await seller.after('quotation', ['send', 'accept']);
    const foreign = await seller.act('quotation', id, 'convert', { company_id: other.company.id });
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'unknown_reference']);
    const dates = {
      transaction_date: '2026-04-01',
      transaction_period: { from: '2026-04-01', to: '2026-04-02' },
    };
    const both = await seller.act('quotation', id, 'convert', dates);
    assert.deepEqual(faultsIn(both.body), ['/transaction_period mutually_exclusive']);
    const unknown = await seller.act('quotation', id, 'convert', { status: 'sent' });
    assert.deepEqual(faultsIn(unknown.body), ['/status unknown_field']);
    assert.deepEqual((await seller.read('quotation', id)).converted_to, []);
  });
});

describe('a purchase order becomes a received invoice', () => {
  test('pending, with its company, lines and modes, of today', async () => {
    const seller = await newSeller(app);
    const order = await seller.after('purchase_order', ['send', 'accept'], {
      subject: '豆の仕入れ',
      memo: '至急',
      bank_account: ACCOUNT,
      tax_rounding: 'round',
    });
    const told = await toldBy(app, seller.organization_id, async () => {
      const reply = await seller.act('purchase_order', order.id, 'convert', {
        number: 'A-1',
        received_on: '2026-04-09',
      });
      assert.equal(reply.status, 201, reply.text);
      const { received_invoice } = reply.body;
      assert.equal(reply.headers.get('location'), `/api/v1/received-invoices/${received_invoice.id}`);
      assert.match(received_invoice.id, /^rinv_/);
      const read = await seller.get(`/received-invoices/${received_invoice.id}`);
      assert.deepEqual([read.status, read.body], [200, { received_invoice }]);
      const stranger = await newSeller(app);
      assert.equal((await stranger.get(`/received-invoices/${received_invoice.id}`)).status, 404);
      const { object, status, number, company_id, company_name, subject, memo, registration_number } =
        received_invoice;
      assert.deepEqual(
        [object, status, number, company_id, company_name, subject, memo, registration_number],
        [
          'received.invoice',
          'pending',
          'A-1',
          order.company_id,
          '株式会社山田商店',
          '豆の仕入れ',
          '至急',
          null,
        ],
      );
      const { issue_date, received_on, due_date, tax_rounding, received_via, purchase_order_id } =
        received_invoice;
      assert.deepEqual([issue_date, received_on, due_date], ['2026-04-11', '2026-04-09', '2026-05-31']);
      assert.deepEqual([tax_rounding, received_via, purchase_order_id], ['round', 'convert', order.id]);
      assert.deepEqual(received_invoice.totals, order.totals);
      assert.deepEqual(
        received_invoice.line_items.map(
          (line: { purchase_order_line_id: string }) => line.purchase_order_line_id,
        ),
        order.line_items.map(({ id }: { id: string }) => id),
      );
    });
    const [event] = told.events;
    const { converted_to } = await seller.read('purchase_order', order.id);
    assert.deepEqual(
      [told.events.length, event!.type, event!.data.target_type, event!.data.target_id],
      [1, 'conversion.completed', 'received_invoice', converted_to[0].id],
    );
  });

  test('and stands in the change history of received documents', async () => {
    const seller = await newSeller(app);
    const order = await seller.after('purchase_order', ['send', 'accept']);
    const { received_invoice } = (
      await seller.act('purchase_order', order.id, 'convert', { received_on: '2026-04-09' })
    ).body;
    const { items } = (await seller.get('/receive/audit-logs')).body;
    assert.deepEqual(
      items.map(({ entity_type, entity_id, action }: Record<string, unknown>) => [
        entity_type,
        entity_id,
        action,
      ]),
      [['received_invoice', received_invoice.id, 'create']],
    );
    const { organization_id } = seller;
    const blind = await app.actor({ organization_id, scopes: ['audit:read', 'invoicing:read'] });
    assert.equal((await blind.get('/receive/audit-logs')).status, 403);
  });

  test('once', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('purchase_order', ['send', 'accept']);
    await seller.act('purchase_order', id, 'convert');
    const { status, body } = await seller.act('purchase_order', id, 'convert');
    assert.deepEqual([status, body.code], [409, 'already_converted']);
    assert.match(body.converted_to[0].id, /^rinv_/);
  });
});
