import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;

const pay = (seller: Seller, { id }: { id: string }, body: Record<string, unknown> = {}) =>
  seller.post(`/invoices/${id}/payments`, body);

const settled = ({ status, amount_paid, balance }: Record<string, unknown>) => [status, amount_paid, balance];

describe('payments, deletions and credits at once', () => {
  test('parts never exceed the balance, and every answer is a payment or a refusal', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => pay(seller, { id }, { amount: 1_000 })),
    );
    const codes = replies.map(({ status, body }) => body.code ?? status);
    assert.deepEqual(codes.toSorted(), [...Array(12).fill(201), ...Array(18).fill('overpayment')]);
    assert.deepEqual(settled(await seller.read('invoice', id)), ['partially_paid', 12_000, 80]);
  });

  test('a payment is deleted once', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const { payment } = (await pay(seller, { id })).body;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => seller.delete(`/invoices/${id}/payments/${payment.id}`)),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(404)]);
    assert.deepEqual(settled(await seller.read('invoice', id)), ['approved', 0, TOTAL]);
  });

  test('whatever goes on, the balance is the total less payments and credits, and no credit is lost', async () => {
    const seller = await newSeller(app);
    for (let round = 0; round < 4; round += 1) {
      const { id } = await seller.after('invoice', ['approve', 'send']);
      const first = (await pay(seller, { id }, { amount: 500 })).body.payment;
      const credit = {
        reason: '返品',
        issue_date: '2026-05-01',
        line_items: [{ description: '値引き', unit_price: '1000' }],
      };
      const replies = await Promise.all([
        ...Array.from({ length: 6 }, () => pay(seller, { id }, { amount: 2_000 })),
        ...Array.from({ length: 4 }, () => seller.act('invoice', id, 'credit-notes', credit)),
        seller.delete(`/invoices/${id}/payments/${first.id}`),
      ]);
      for (const { status, text } of replies)
        assert.ok([200, 201, 422].includes(status) || status === 409, text);
      const invoice = await seller.read('invoice', id);
      const payments = (await seller.get(`/invoices/${id}/payments`)).body.items;
      const notes = (await seller.get(`/invoices/${id}/credit-notes`)).body.items;
      const paid = payments.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
      const credited = notes.reduce(
        (sum: number, { totals }: { totals: { amount_due: number } }) => sum + totals.amount_due,
        0,
      );
      assert.equal(credited, 4 * 1_100);
      assert.deepEqual([invoice.amount_paid, invoice.credited], [paid, credited]);
      assert.equal(invoice.balance, TOTAL - paid - credited);
      assert.equal(invoice.status, invoice.balance > 0 ? 'partially_paid' : 'paid');
      assert.deepEqual(
        notes.map(({ number }: { number: string }) => number).toSorted(),
        numbersOf(round * 4, 4),
      );
    }
  });

  test('of a payment and a cancellation at once one is refused', async () => {
    const seller = await newSeller(app);
    for (let round = 0; round < 6; round += 1) {
      const { id } = await seller.after('invoice', ['approve']);
      const [paid, cancelled] = await Promise.all([pay(seller, { id }), seller.act('invoice', id, 'cancel')]);
      const { status } = await seller.read('invoice', id);
      if (status === 'paid') assert.deepEqual([paid.status, cancelled.status], [201, 409]);
      else assert.deepEqual([status, paid.status, cancelled.status], ['cancelled', 409, 200]);
    }
  });
});

function numbersOf(after: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `CN-2026-${String(after + index + 1).padStart(4, '0')}`);
}
