import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;

const pay = (seller: Seller, { id }: { id: string }, body: Record<string, unknown> = {}) =>
  seller.post(`/invoices/${id}/payments`, body);

const settled = ({ status, amount_paid, balance }: Record<string, unknown>) => [status, amount_paid, balance];

describe('404', () => {
  test('no such invoice, and a payment of another invoice', async () => {
    const seller = await newSeller(app);
    const one = await seller.after('invoice', ['approve']);
    const other = await seller.after('invoice', ['approve']);
    const { payment } = (await pay(seller, one, { amount: 80 })).body;
    const unknown = one.id.replace(/.{4}$/, '0000');
    for (const reply of [
      await seller.get(`/invoices/${other.id}/payments/${payment.id}`),
      await seller.delete(`/invoices/${other.id}/payments/${payment.id}`),
      await seller.delete(`/invoices/${unknown}/payments/${payment.id}`),
      await seller.get(`/invoices/${unknown}/payments`),
      await pay(seller, { id: unknown }),
      await (await newSeller(app)).get(`/invoices/${one.id}/payments`),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
    }
    assert.deepEqual(settled(await seller.read('invoice', one.id)), ['partially_paid', 80, TOTAL - 80]);
  });
});

describe('409', () => {
  test('drafts, paid and cancelled invoices take no payment', async () => {
    const seller = await newSeller(app);
    for (const ways of [[], ['approve', 'mark-paid'], ['approve', 'cancel']]) {
      const { id, status } = await seller.after('invoice', ways);
      for (const reply of [await pay(seller, { id }), await seller.act('invoice', id, 'mark-paid')]) {
        assert.deepEqual([reply.status, reply.body.code], [409, 'invalid_transition']);
        assert.equal(reply.body.current_status, status);
      }
    }
  });

  test('50 at once of the whole balance: one is taken', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve', 'send']);
    const told = await toldBy(app, seller.organization_id, async () => {
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => seller.act('invoice', id, 'mark-paid', { amount: TOTAL })),
      );
      const counted = Map.groupBy(replies, ({ status, body }) => `${status} ${body.code ?? 'taken'}`);
      const sizes = Object.fromEntries([...counted].map(([what, those]) => [what, those.length]));
      assert.deepEqual(sizes, { '200 taken': 1, '409 invalid_transition': 49 });
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['invoice.paid'],
    );
    assert.deepEqual(settled(await seller.read('invoice', id)), ['paid', TOTAL, 0]);
    assert.equal((await seller.get(`/invoices/${id}/payments`)).body.total, 1);
  });
});

describe('412', () => {
  test('a payment of an invoice that has changed since it was read', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const etag = (await seller.get(`/invoices/${id}`)).headers.get('etag')!;
    await pay(seller, { id }, { amount: 80 });
    const late = await seller.post(`/invoices/${id}/payments`, { amount: 80 }, { 'If-Match': etag });
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed']);
    const fresh = (await seller.get(`/invoices/${id}`)).headers.get('etag')!;
    const taken = await seller.post(`/invoices/${id}/payments`, { amount: 80 }, { 'If-Match': fresh });
    assert.equal(taken.status, 201, taken.text);
  });
});

describe('422', () => {
  test('overpayment is more than the balance', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const reply = await pay(seller, { id }, { amount: TOTAL + 1 });
    assert.deepEqual([reply.status, reply.body.code, reply.body.balance], [422, 'overpayment', TOTAL]);
    await pay(seller, { id }, { amount: 80 });
    const again = await pay(seller, { id }, { amount: TOTAL - 79 });
    assert.deepEqual([again.status, again.body.code, again.body.balance], [422, 'overpayment', TOTAL - 80]);
  });

  test('what a payment cannot be', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    for (const [body, fault] of [
      [{ amount: 0 }, '/amount too_small'],
      [{ amount: -5 }, '/amount too_small'],
      [{ amount: 1.5 }, '/amount invalid_type'],
      [{ amount: '100' }, '/amount invalid_type'],
      [{ amount: 1_000_000_000_000 }, '/amount too_large'],
      [{ method: 'cheque' }, '/method invalid_value'],
      [{ paid_at: '2026-02-30' }, '/paid_at invalid_format'],
      [{ paid_at: '2026-02-03T10:00:00' }, '/paid_at invalid_format'],
      [{ fee_amount: -1 }, '/fee_amount too_small'],
      [{ fee_borne_by: 'bank' }, '/fee_borne_by invalid_value'],
      [{ currency: 'JPY' }, '/currency unknown_field'],
      [{ amount: 400, fee_amount: 301, withheld_amount: 100 }, '/amount too_small'],
    ] as const) {
      const reply = await pay(seller, { id }, body);
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), [fault]);
    }
    assert.deepEqual(settled(await seller.read('invoice', id)), ['approved', 0, TOTAL]);
  });
});
