import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Buyer, newBuyer } from '../../support/received.ts';

const app = await startApp();

async function done(buyer: Buyer, ...asked: Parameters<Buyer['act']>): Promise<void> {
  const reply = await buyer.act(...asked);
  assert.equal(reply.status, 200, reply.text);
}

describe('a document that is decided on', () => {
  test('changes in what is for our own use, and an unpaid invoice in its due date', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.register('invoice', { number: '1', metadata: { a: '1' } });
    await done(buyer, 'invoice', made.id, 'approve');
    const approved = await buyer.read('invoice', made.id);
    const reply = await buyer.change('invoice', made.id, {
      internal_memo: '確認済み',
      external_id: 'erp-1',
      metadata: { a: null, b: '2' },
      due_date: '2098-12-25',
    });
    assert.equal(reply.status, 200, reply.text);
    const { updated_at, ...after } = reply.body.received_invoice;
    const { updated_at: _, ...before } = approved;
    assert.deepEqual(after, {
      ...before,
      internal_memo: '確認済み',
      external_id: 'erp-1',
      metadata: { b: '2' },
      due_date: '2098-12-25',
    });
    const refused = await buyer.change('invoice', made.id, { subject: '1', number: '2' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'frozen']);
    assert.deepEqual(
      refused.body.errors.map(({ path }: { path: string }) => path),
      ['/number', '/subject'],
    );
    assert.equal(refused.body.current_status, 'approved');
  });

  test('as rejected or another kind keeps its due date', async () => {
    const buyer = await newBuyer(app);
    const invoice = await buyer.register('invoice');
    await done(buyer, 'invoice', invoice.id, 'reject');
    const quotation = await buyer.register('quotation', { due_date: '2099-12-31' });
    await done(buyer, 'quotation', quotation.id, 'approve');
    for (const [kind, id] of [
      ['invoice', invoice.id],
      ['quotation', quotation.id],
    ] as const) {
      const reply = await buyer.change(kind, id, { due_date: '2098-12-25' });
      assert.deepEqual([reply.status, reply.body.code], [409, 'frozen']);
      assert.equal((await buyer.change(kind, id, { internal_memo: '済' })).status, 200);
    }
  });

  test('is removed as rejected alone', async () => {
    const buyer = await newBuyer(app);
    const rejected = await buyer.register('purchase_order');
    await done(buyer, 'purchase_order', rejected.id, 'reject');
    const approved = await buyer.register('purchase_order');
    await done(buyer, 'purchase_order', approved.id, 'approve');
    const [gone, kept] = [
      await buyer.delete(`/receive-purchase-orders/${rejected.id}`),
      await buyer.delete(`/receive-purchase-orders/${approved.id}`),
    ];
    assert.deepEqual([gone.status, kept.status, kept.body.code], [200, 409, 'invalid_transition']);
  });
});

describe('a rejected document', () => {
  test('leaves its number to another one, and does not come back beside it', async () => {
    const buyer = await newBuyer(app);
    const first = await buyer.register('invoice', { number: '118' });
    await done(buyer, 'invoice', first.id, 'reject');
    const second = await buyer.register('invoice', { number: '118' });
    assert.deepEqual([second.duplicate_of, second.duplicates], [null, []]);
    const refused = await buyer.act('invoice', first.id, 'reopen', {});
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.existing_id],
      [409, 'duplicate_document', second.id],
    );
    await done(buyer, 'invoice', second.id, 'reject');
    await done(buyer, 'invoice', first.id, 'reopen', {});
    const third = await buyer.attempt('invoice', { number: '118' });
    assert.deepEqual([third.status, third.body.existing_id], [409, first.id]);
  });
});

describe('a purchase order', () => {
  test('becomes an invoice of its lines, with what the body says in the place of the rest', async () => {
    const buyer = await newBuyer(app);
    const order = await buyer.make('/purchase-orders', {
      company_id: buyer.company.id,
      issue_date: '2026-11-01',
      line_items: [{ description: '棚', quantity: '2', unit_price: '5000' }],
    });
    for (const action of ['send', 'accept']) {
      assert.equal((await buyer.post(`/purchase-orders/${order.id}/${action}`)).status, 200);
    }
    const convert = (body: object) => buyer.post(`/purchase-orders/${order.id}/convert`, body);
    const taken = await buyer.register('invoice', { number: 'A-1' });
    const refused = await convert({ number: 'A-1', issue_date: '2026-11-02' });
    assert.deepEqual([refused.status, refused.body.existing_id], [409, taken.id]);
    const { received_invoice: made } = (
      await convert({ number: 'A-2', stated_total: 11_000, registration_number: 'T7000012050002' })
    ).body;
    assert.deepEqual(
      [made.received_via, made.company_name, made.purchase_order_id, made.qualified, made.totals.total],
      ['convert', '株式会社港文具', order.id, true, 11_000],
    );
    assert.deepEqual(
      made.line_items.map((line: { purchase_order_line_id: string }) => line.purchase_order_line_id),
      [order.line_items[0].id],
    );
    assert.equal((await convert({})).body.code, 'already_converted');
    assert.equal((await buyer.delete(`/received-invoices/${made.id}`)).status, 200);
    assert.equal((await convert({})).status, 201);
  });
});
