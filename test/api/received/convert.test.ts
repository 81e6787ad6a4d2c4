import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { toldBy } from '../../support/facts.ts';
import { newDecider } from '../../support/received-life.ts';

const app = await startApp();

describe('a received quotation becomes a purchase order', () => {
  test('a draft of today to the supplier, with its words, lines and modes', async () => {
    const buyer = await newDecider(app);
    const quotation = await buyer.after('quotation', ['approve'], {
      subject: '5月分コーヒー豆',
      memo: '送料込み',
      internal_memo: '急ぎ',
      tax_display_mode: 'inclusive',
      tax_rounding: 'ceil',
      due_date: '2099-12-31',
      line_items: [
        {
          description: '豆',
          quantity: '2.5',
          unit: '袋',
          unit_price: '1200',
          tax_category: 'reduced',
          item_code: 'CB',
        },
        { type: 'text', description: '分納' },
      ],
    });
    const told = await toldBy(app, buyer.organization_id, async () => {
      const reply = await buyer.act('quotation', quotation.id, 'convert');
      assert.equal(reply.status, 201, reply.text);
      const { purchase_order: order } = reply.body;
      assert.equal(reply.headers.get('location'), `/api/v1/purchase-orders/${order.id}`);
      assert.deepEqual((await buyer.get(`/purchase-orders/${order.id}`)).body.purchase_order, order);
      for (const field of [
        'company_id',
        'subject',
        'memo',
        'internal_memo',
        'tax_display_mode',
        'tax_rounding',
      ]) {
        assert.deepEqual(order[field], quotation[field], field);
      }
      assert.equal(order.status, 'draft');
      assert.deepEqual(order.source, [{ type: 'received_quotation', id: quotation.id }]);
      for (const [index, line] of order.line_items.entries()) {
        const { id, source_line_id, ...copied } = line;
        const of = quotation.line_items[index];
        assert.equal(source_line_id, of.id);
        assert.deepEqual(copied, Object.fromEntries(Object.keys(copied).map((name) => [name, of[name]])));
      }
      const now = await buyer.read('quotation', quotation.id);
      assert.deepEqual(now.converted_to, [{ type: 'purchase_order', id: order.id }]);
      assert.deepEqual(now.available_actions, ['files']);
    });
    assert.deepEqual(
      told.events.map(({ type, data }) => [type, data['source_type'], data['target_type']]),
      [['conversion.completed', 'received_quotation', 'purchase_order']],
    );
    const { company } = (await buyer.get(`/crm/companies/${buyer.company.id}`)).body;
    assert.equal(company.customer_since, null);
  });

  test('once, and again when that order was deleted; reopening waits for that too', async () => {
    const buyer = await newDecider(app);
    const { id } = await buyer.after('quotation', ['approve']);
    const { purchase_order: order } = (await buyer.act('quotation', id, 'convert')).body;
    for (const action of ['convert', 'reopen']) {
      const { status, body } = await buyer.act('quotation', id, action);
      assert.deepEqual([status, body.code], [409, 'already_converted'], action);
      assert.deepEqual(body.converted_to, [{ type: 'purchase_order', id: order.id }]);
    }
    assert.equal((await buyer.delete(`/purchase-orders/${order.id}`)).status, 200);
    assert.equal((await buyer.act('quotation', id, 'convert')).status, 201);
  });

  test('with fields of the body in the place of what would be copied', async () => {
    const buyer = await newDecider(app);
    const other = await buyer.make('/crm/companies', { name: '別の仕入先' });
    const { id } = await buyer.after('quotation', ['approve']);
    const override = {
      company_id: other.id,
      subject: '別件',
      issue_date: '2026-06-01',
      delivery_date: '2026-06-10',
      line_items: [{ description: '粉', unit_price: 500 }],
    };
    const { status, body } = await buyer.act('quotation', id, 'convert', override);
    assert.equal(status, 201);
    const { line_items, ...fields } = override;
    for (const [name, value] of Object.entries(fields)) assert.equal(body.purchase_order[name], value);
    assert.deepEqual(
      body.purchase_order.line_items.map((line: Record<string, unknown>) => [
        line['description'],
        line['source_line_id'],
      ]),
      [['粉', null]],
    );
  });

  test('not without a company or lines', async () => {
    const buyer = await newDecider(app);
    const named = await buyer.after('quotation', ['approve'], { company_id: null, company_name: '山田商店' });
    const refused = await buyer.act('quotation', named.id, 'convert');
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/company_id']);
    const chosen = await buyer.act('quotation', named.id, 'convert', { company_id: buyer.company.id });
    assert.equal(chosen.status, 201);
    const { id } = await buyer.after('quotation', ['approve'], { line_items: [] });
    const empty = await buyer.act('quotation', id, 'convert');
    assert.deepEqual([empty.status, empty.body.errors[0].path], [422, '/line_items']);
  });
});

test('a conversion needs the right to write on both sides: it shows what it makes', async () => {
  const buyer = await newDecider(app);
  const { organization_id } = buyer;
  const quotation = await buyer.after('quotation', ['approve']);
  const order = await buyer.make('/purchase-orders', {
    company_id: buyer.company.id,
    issue_date: '2026-11-02',
    line_items: [{ description: '豆', unit_price: '1000' }],
  });
  const paths = [`/receive-quotations/${quotation.id}/convert`, `/purchase-orders/${order.id}/convert`];
  for (const scope of ['received:write', 'invoicing:write'] as const) {
    const one = await app.actor({ organization_id, scopes: [scope] });
    const replies = await Promise.all(paths.map((path) => one.post(path)));
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code]),
      paths.map(() => [403, 'insufficient_scope']),
      scope,
    );
  }
  const both = await app.actor({ organization_id, scopes: ['received:write', 'invoicing:write'] });
  assert.equal((await both.post(paths[0]!)).status, 201);
});
