import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const allocations = (invoices: Shown[], amount: number) =>
  invoices.map(({ id }) => ({ invoice_id: id, amount }));

async function approved(seller: Seller, count: number): Promise<Shown[]> {
  const invoices: Shown[] = [];
  for (let n = 0; n < count; n += 1) invoices.push(await seller.after('invoice', ['approve']));
  return invoices;
}

async function assertSums(seller: Seller, deposits: Shown[], invoices: Shown[]): Promise<void> {
  const payments = (await seller.get('/payments?limit=200')).body.items;
  for (const { id } of deposits) {
    const { deposit } = (await seller.get(`/deposits/${id}`)).body;
    const own = payments.filter(({ deposit_id }: Shown) => deposit_id === id);
    const paid = own.reduce((sum: number, { amount }: Shown) => sum + amount, 0);
    assert.deepEqual([deposit.allocated, deposit.unallocated], [paid, deposit.amount - paid]);
    assert.ok(deposit.unallocated >= 0);
    const open = (await seller.get('/deposits?has_unallocated=true&limit=200')).body.items;
    assert.equal(
      open.some((one: Shown) => one.id === id),
      deposit.unallocated > 0,
    );
  }
  for (const { id } of invoices) {
    const invoice = await seller.read('invoice', id);
    const own = payments.filter(({ invoice_id }: Shown) => invoice_id === id);
    const paid = own.reduce((sum: number, { amount }: Shown) => sum + amount, 0);
    assert.deepEqual([invoice.amount_paid, invoice.balance], [paid, invoice.totals.total - paid]);
    assert.ok(invoice.balance >= 0);
  }
}

describe('deposits at once', () => {
  test('50 allocations never exceed the deposit, and every answer is one or a refusal', async () => {
    const seller = await newSeller(app);
    const invoices = await approved(seller, 2);
    const deposit = await seller.make('/deposits', { amount: 12_500, received_on: '2026-05-31' });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        seller.post(`/deposits/${deposit.id}/allocations`, {
          allocations: allocations([invoices[n % 2]], 500),
        }),
      ),
    );
    assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).toSorted(), [
      ...Array(25).fill(201),
      ...Array(25).fill('over_allocated'),
    ]);
    await assertSums(seller, [deposit], invoices);
  });

  test('deposits that pay the same invoices in any order wait for each other', async () => {
    const seller = await newSeller(app);
    const invoices = await approved(seller, 3);
    const deposits = await Promise.all(
      Array.from({ length: 6 }, () => seller.make('/deposits', { amount: 9_000, received_on: '2026-05-31' })),
    );
    const replies = await Promise.all(
      deposits.flatMap(({ id }, n) => [
        seller.post(`/deposits/${id}/allocations`, {
          allocations: allocations(n % 2 ? invoices : invoices.toReversed(), 3_000),
        }),
        seller.post(`/invoices/${invoices[n % 3].id}/payments`, { amount: 100 }),
      ]),
    );
    for (const { status, body, text } of replies)
      assert.ok(status === 201 || body.code === 'overpayment', text);
    await assertSums(seller, deposits, invoices);
  });

  test('whatever is taken back meanwhile, sums and balances are those of the payments', async () => {
    const seller = await newSeller(app);
    const invoices = await approved(seller, 3);
    const deposit = await seller.make('/deposits', {
      amount: 9_000,
      received_on: '2026-05-31',
      allocations: allocations(invoices, 1_000),
    });
    const [one, other] = deposit.allocations;
    const replies = await Promise.all([
      seller.delete(`/deposits/${deposit.id}/allocations/${one.id}`),
      seller.delete(`/invoices/${one.invoice_id}/payments/${one.id}`),
      seller.delete(`/invoices/${other.invoice_id}/payments/${other.id}`),
      seller.post(`/deposits/${deposit.id}/allocations`, { allocations: allocations(invoices, 1_500) }),
      seller.post(`/invoices/${invoices[2].id}/payments`, { amount: 700 }),
      seller.patch(`/deposits/${deposit.id}`, { note: '確認' }),
    ]);
    for (const { status, text } of replies) assert.ok([200, 201, 404].includes(status), text);
    await assertSums(seller, [deposit], invoices);
    const gone = await Promise.all([
      seller.delete(`/deposits/${deposit.id}`),
      seller.post(`/deposits/${deposit.id}/allocations`, { allocations: allocations(invoices, 1) }),
      seller.post(`/deposits/${deposit.id}/refunds`, { amount: 1 }),
      seller.delete(`/deposits/${deposit.id}`),
    ]);
    for (const { status, text } of gone) assert.ok([200, 201, 404, 409].includes(status), text);
    const left = (await seller.get('/deposits')).body.items;
    await assertSums(
      seller,
      left.filter(({ refunds }: Shown) => refunds.length === 0),
      invoices,
    );
  });
});
