import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startOfDay, todayIn } from '../../../shared/kernel/days.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;

const pay = (seller: Seller, { id }: { id: string }, body: Record<string, unknown> = {}) =>
  seller.post(`/invoices/${id}/payments`, body);

const settled = ({ status, amount_paid, balance }: Record<string, unknown>) => [status, amount_paid, balance];

describe('200', () => {
  test('mark-paid pays the whole balance now, by bank transfer', async () => {
    const seller = await newSeller(app);
    const sent = await seller.after('invoice', ['approve', 'send']);
    const reply = await seller.act('invoice', sent.id, 'mark-paid');
    assert.equal(reply.status, 200, reply.text);
    const { invoice, payment } = reply.body;
    assert.deepEqual(settled(invoice), ['paid', TOTAL, 0]);
    assert.equal(invoice.paid_at, payment.paid_at);
    const today = todayIn('Asia/Tokyo', new Date(payment.created_at));
    assert.deepEqual([payment.paid_on, invoice.paid_on], [today, today]);
    assert.equal(payment.paid_at, startOfDay(today, 'Asia/Tokyo'));
    const { id, paid_on, paid_at, created_by, created_at, updated_at, ...said } = payment;
    assert.deepEqual(said, {
      object: 'invoicing.payment',
      invoice_id: sent.id,
      invoice_number: sent.number,
      company_id: sent.company_id,
      amount: TOTAL,
      received_amount: TOTAL,
      method: 'bank_transfer',
      fee_amount: 0,
      fee_borne_by: null,
      withheld_amount: 0,
      note: null,
      deposit_id: null,
      external_id: null,
      metadata: {},
    });
    assert.deepEqual(await seller.read('invoice', sent.id), invoice);
  });

  test('mark-paid with an amount pays a part; the rest is the balance', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const part = await seller.act('invoice', id, 'mark-paid', { amount: 80 });
    assert.deepEqual(settled(part.body.invoice), ['partially_paid', 80, TOTAL - 80]);
    assert.equal(part.body.invoice.paid_at, null);
    const rest = await seller.act('invoice', id, 'mark-paid', {});
    assert.deepEqual(settled(rest.body.invoice), ['paid', TOTAL, 0]);
    assert.equal(rest.body.payment.amount, TOTAL - 80);
  });

  test('an invoice is paid when its last money came, whatever the order in which it was recorded', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    await pay(seller, { id }, { amount: 80, paid_at: '2026-05-31' });
    const { invoice } = (await pay(seller, { id }, { paid_at: '2026-05-01T09:30:00+09:00' })).body;
    assert.equal(invoice.paid_at, '2026-05-30T15:00:00.000Z');
  });

  test('what withholding leaves is what is to be paid', async () => {
    const seller = await newSeller(app);
    const line = { description: '顧問料', unit_price: '300000', withholding: true };
    const made = await seller.after('invoice', ['approve'], { withholding_mode: 'net', line_items: [line] });
    assert.deepEqual([made.balance, made.totals.withholding_tax], [299_370, 30_630]);
    const { invoice, payment } = (await seller.act('invoice', made.id, 'mark-paid')).body;
    assert.deepEqual([invoice.status, payment.amount], ['paid', 299_370]);
  });

  test('the last deletion brings back the status from before the first payment', async () => {
    const seller = await newSeller(app);
    for (const [ways, status] of [
      [['approve'], 'approved'],
      [['approve', 'send'], 'sent'],
    ] as const) {
      const { id } = await seller.after('invoice', ways);
      const one = (await pay(seller, { id }, { amount: 80 })).body.payment;
      const other = (await pay(seller, { id })).body.payment;
      const deleted = await seller.delete(`/invoices/${id}/payments/${other.id}`);
      assert.deepEqual([deleted.status, deleted.body], [200, { success: true }]);
      const open = await seller.read('invoice', id);
      assert.deepEqual([...settled(open), open.paid_at], ['partially_paid', 80, TOTAL - 80, null]);
      await seller.delete(`/invoices/${id}/payments/${one.id}`);
      assert.deepEqual(settled(await seller.read('invoice', id)), [status, 0, TOTAL]);
    }
  });

  test('an invoice lists its payments, newest first, and by the day they came', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const one = (await pay(seller, { id }, { amount: 80, paid_at: '2026-05-31' })).body.payment;
    const other = (await pay(seller, { id }, { amount: 20, paid_at: '2026-05-01' })).body.payment;
    const listed = await seller.get(`/invoices/${id}/payments`);
    assert.deepEqual([listed.body.items, listed.body.total], [[other, one], 2]);
    const byDay = await seller.get(`/invoices/${id}/payments?sort=paid_at:desc`);
    assert.deepEqual(byDay.body.items, [one, other]);
    const byChange = await seller.get(
      `/invoices/${id}/payments?sort=updated_at:asc&limit=1&cursor_mode=true`,
    );
    assert.deepEqual([byChange.body.data, byChange.body.has_more], [[one], true]);
    const after = await seller.get(`/invoices/${id}/payments?sort=updated_at:asc&starting_after=${one.id}`);
    assert.deepEqual(after.body.data, [other]);
  });

  test('payments of all invoices by company, method and days of the time zone, both included', async () => {
    const seller = await newSeller(app);
    const company = await seller.make('/crm/companies', { name: '別の会社' });
    const one = await seller.after('invoice', ['approve']);
    const other = await seller.after('invoice', ['approve'], { company_id: company.id });
    const late = (await pay(seller, one, { amount: 1, paid_at: '2026-04-30T14:59:59.999Z' })).body.payment;
    const may = (await pay(seller, one, { amount: 2, paid_at: '2026-05-01', method: 'cash' })).body.payment;
    const foreign = (await pay(seller, other, { amount: 3, paid_at: '2026-05-31T23:59:00+09:00' })).body
      .payment;
    const found = async (query: string) => {
      const { body } = await seller.get(`/payments?${query}`);
      assert.equal(body.total, body.items.length);
      return body.items.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await found(''), [foreign.id, may.id, late.id]);
    assert.deepEqual(await found('paid_from=2026-05-01&paid_to=2026-05-31'), [foreign.id, may.id]);
    assert.deepEqual(await found('paid_to=2026-04-30'), [late.id]);
    assert.deepEqual(await found(`company_id=${company.id}`), [foreign.id]);
    assert.deepEqual(await found('method=cash'), [may.id]);
    assert.deepEqual(await found('sort=paid_at:asc'), [late.id, may.id, foreign.id]);
    assert.deepEqual(await found('method=card'), []);
  });
});

describe('201', () => {
  test('a fee that we bear and what was withheld are part of the amount', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const body = { amount: 10_000, fee_amount: 440, withheld_amount: 60, note: ' 4月分 ', method: 'offset' };
    const reply = await pay(seller, { id }, body);
    assert.equal(reply.status, 201, reply.text);
    const { payment, invoice } = reply.body;
    assert.deepEqual([payment.received_amount, payment.fee_borne_by, payment.note], [9_500, 'us', '4月分']);
    assert.deepEqual(settled(invoice), ['partially_paid', 10_000, TOTAL - 10_000]);
    assert.equal(reply.headers.get('location'), `/api/v1/invoices/${id}/payments/${payment.id}`);
    const read = await seller.get(`/invoices/${id}/payments/${payment.id}`);
    assert.deepEqual([read.status, read.body], [200, { payment }]);
    const theirs = (await pay(seller, { id }, { amount: 80, fee_amount: 440, fee_borne_by: 'customer' }))
      .body;
    assert.deepEqual([theirs.payment.received_amount, theirs.payment.fee_borne_by], [80, 'customer']);
  });

  test('a part is told as invoice.updated, the last one as invoice.paid, a deletion as invoice.updated', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const before = await seller.read('invoice', id);
    let part = '';
    const told = await toldBy(app, seller.organization_id, async () => {
      part = (await pay(seller, { id }, { amount: 80 })).body.payment.id;
      await pay(seller, { id });
      await seller.delete(`/invoices/${id}/payments/${part}`);
    });
    const now = await seller.read('invoice', id);
    assert.deepEqual(
      told.events.map(({ type, previous_attributes }) => [type, previous_attributes?.['status']]),
      [
        ['invoice.updated', 'approved'],
        ['invoice.paid', 'partially_paid'],
        ['invoice.updated', 'paid'],
      ],
    );
    assert.deepEqual(told.events[0]!.previous_attributes, {
      status: 'approved',
      amount_paid: 0,
      balance: TOTAL,
    });
    assert.deepEqual(settled(told.events[1]!.data), ['paid', TOTAL, 0]);
    assert.deepEqual(settled(told.events[2]!.data), settled(now));
    assert.equal(told.events[2]!.data['updated_at'], now.updated_at);
    assert.ok(now.updated_at > before.updated_at);
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => `${entity_type} ${action}`),
      [
        'payment create',
        'invoice update',
        'payment create',
        'invoice update',
        'payment delete',
        'invoice update',
      ],
    );
    assert.equal(told.audit[4]!.entity_id, part);
    assert.deepEqual(told.audit[4]!.changes['amount'], [80, null]);
  });
});
