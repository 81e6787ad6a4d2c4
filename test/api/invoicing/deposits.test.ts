import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { todayIn } from '../../../shared/kernel/days.ts';
import { startApp } from '../../support/app.ts';
import { allocate, approvedInvoices } from '../../support/deposit-calls.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;
const DAY = '2026-05-31';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const settled = ({ status, amount_paid, balance }: Record<string, unknown>) => [status, amount_paid, balance];
const money = ({ allocated, unallocated, fee_amount }: Record<string, unknown>) => [
  allocated,
  unallocated,
  fee_amount,
];

const deposit = (seller: Seller, fields: Record<string, unknown>) =>
  seller.make('/deposits', { received_on: DAY, ...fields });

describe('200 and 201', () => {
  test('one transfer pays two invoices, its fee is part of the first, and the rest waits', async () => {
    const seller = await newSeller(app);
    const [one, other] = await approvedInvoices(seller, 2);
    const reply = await seller.post('/deposits', {
      amount: 25_000,
      received_on: DAY,
      payer_name: 'ｶ)ﾔﾏﾀﾞｼﾖｳﾃﾝ',
      fee_amount: 440,
      bank_reference: '20260531-0042',
      allocations: [
        { invoice_id: one.id, amount: TOTAL },
        { invoice_id: other.id, amount: TOTAL },
      ],
      external_id: 'B-1',
      metadata: { erp_id: '4711' },
    });
    assert.equal(reply.status, 201, reply.text);
    const { deposit: made } = reply.body;
    assert.equal(reply.headers.get('location'), `/api/v1/deposits/${made.id}`);
    const { id, allocations, created_by, created_at, updated_at, ...said } = made;
    assert.deepEqual(said, {
      object: 'invoicing.deposit',
      amount: 25_000,
      received_on: DAY,
      payer_name: 'ｶ)ﾔﾏﾀﾞｼﾖｳﾃﾝ',
      method: 'bank_transfer',
      fee_amount: 440,
      bank_reference: '20260531-0042',
      company_id: seller.company.id,
      note: null,
      allocated: 2 * TOTAL,
      unallocated: 25_440 - 2 * TOTAL,
      refunds: [],
      external_id: 'B-1',
      metadata: { erp_id: '4711' },
    });
    assert.deepEqual(
      allocations.map((each: Shown) => [each.invoice_id, each.amount]),
      [
        [one.id, TOTAL],
        [other.id, TOTAL],
      ],
    );
    assert.deepEqual((await seller.get(`/deposits/${id}`)).body.deposit, made);
    const [first, second] = await Promise.all(
      [one, other].map(async (each) => (await seller.get(`/invoices/${each.id}/payments`)).body.items[0]),
    );
    assert.deepEqual(
      [first.deposit_id, first.paid_on, first.fee_amount, first.fee_borne_by, first.received_amount],
      [id, DAY, 440, 'us', TOTAL - 440],
    );
    assert.deepEqual([second.fee_amount, second.received_amount], [0, TOTAL]);
    for (const { id } of [one, other])
      assert.deepEqual(settled(await seller.read('invoice', id)), ['paid', TOTAL, 0]);
    const invoice = await seller.read('invoice', one.id);
    assert.equal(invoice.paid_on, DAY);
  });

  test('what is left is allocated later, on that day, and gives a deposit its company', async () => {
    const seller = await newSeller(app);
    const [invoice] = await approvedInvoices(seller, 1);
    const made = await deposit(seller, { amount: 12_000, fee_amount: 80 });
    assert.deepEqual([made.company_id, ...money(made)], [null, 0, 12_080, 80]);
    const reply = await allocate(seller, made, { allocations: [{ invoice_id: invoice.id, amount: TOTAL }] });
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.headers.get('location'), `/api/v1/deposits/${made.id}`);
    assert.deepEqual(
      [reply.body.deposit.company_id, ...money(reply.body.deposit)],
      [seller.company.id, TOTAL, 0, 80],
    );
    const [payment] = (await seller.get(`/invoices/${invoice.id}/payments`)).body.items;
    assert.deepEqual(
      [payment.fee_amount, payment.paid_on],
      [80, todayIn('Asia/Tokyo', new Date(payment.created_at))],
    );
  });

  test('a fee that is known later is that of the first allocation', async () => {
    const seller = await newSeller(app);
    const [one, other] = await approvedInvoices(seller, 2);
    const made = await deposit(seller, { amount: 24_000, fee_amount: 5 });
    const first = await allocate(seller, made, {
      allocations: [{ invoice_id: one.id, amount: TOTAL }],
      fee_amount: 100,
    });
    assert.deepEqual(money(first.body.deposit), [TOTAL, 24_100 - TOTAL, 100]);
    const second = await allocate(seller, made, {
      allocations: [{ invoice_id: other.id, amount: TOTAL }],
      fee_amount: 60,
    });
    assert.deepEqual(money(second.body.deposit), [2 * TOTAL, 0, 160]);
  });

  test('an allocation is taken back by itself or by its payment; the last one leaves all unallocated', async () => {
    const seller = await newSeller(app);
    const [one, other] = await approvedInvoices(seller, 2);
    const made = await deposit(seller, {
      amount: 24_000,
      fee_amount: 160,
      allocations: [one, other].map(({ id }) => ({ invoice_id: id, amount: TOTAL })),
    });
    const [first, second] = made.allocations;
    const back = await seller.delete(`/deposits/${made.id}/allocations/${first.id}`);
    assert.deepEqual([back.status, ...money(back.body.deposit)], [200, TOTAL, TOTAL, 160]);
    assert.deepEqual(settled(await seller.read('invoice', one.id)), ['approved', 0, TOTAL]);
    assert.equal((await seller.delete(`/deposits/${made.id}/allocations/${first.id}`)).status, 404);
    const deleted = await seller.delete(`/invoices/${other.id}/payments/${second.id}`);
    assert.deepEqual(deleted.body, { success: true });
    const left = (await seller.get(`/deposits/${made.id}`)).body.deposit;
    assert.deepEqual([left.allocations, ...money(left)], [[], 0, 24_160, 160]);
    assert.notEqual(left.updated_at, back.body.deposit.updated_at);
    const again = await allocate(seller, made, { allocations: [{ invoice_id: one.id, amount: 200 }] });
    assert.deepEqual(money(again.body.deposit), [200, 23_960, 160]);
  });

  test('a deposit goes with all that it pays', async () => {
    const seller = await newSeller(app);
    const invoices = await approvedInvoices(seller, 3);
    const made = await deposit(seller, {
      amount: 40_000,
      allocations: invoices.map(({ id }) => ({ invoice_id: id, amount: 1_000 })),
    });
    const told = await toldBy(app, seller.organization_id, async () => {
      const reply = await seller.delete(`/deposits/${made.id}`);
      assert.deepEqual([reply.status, reply.body], [200, { success: true }], reply.text);
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      Array(3).fill('invoice.updated'),
    );
    assert.deepEqual(told.audit.map(({ entity_type, action }) => `${entity_type} ${action}`).toSorted(), [
      'deposit delete',
      ...Array(3).fill('invoice update'),
      ...Array(3).fill('payment delete'),
    ]);
    for (const { id } of invoices)
      assert.deepEqual(settled(await seller.read('invoice', id)), ['approved', 0, TOTAL]);
    assert.equal((await seller.get(`/deposits/${made.id}`)).status, 404);
    assert.equal((await seller.delete(`/deposits/${made.id}`)).status, 404);
    assert.deepEqual((await seller.get('/payments')).body.items, []);
  });

  test('what is left is paid back, and shown; a fee that nothing took goes with the last of it', async () => {
    const seller = await newSeller(app);
    const [invoice] = await approvedInvoices(seller, 1);
    const made = await deposit(seller, {
      amount: 15_000,
      allocations: [{ invoice_id: invoice.id, amount: TOTAL }],
    });
    const part = await seller.post(`/deposits/${made.id}/refunds`, {
      amount: 900,
      refunded_on: '2026-06-05',
      note: '振込超過分',
    });
    assert.equal(part.status, 201, part.text);
    const { deposit: after } = part.body;
    assert.equal(after.unallocated, 15_000 - TOTAL - 900);
    const [{ id, created_by, created_at, ...said }] = after.refunds;
    assert.deepEqual(said, {
      amount: 900,
      refunded_on: '2026-06-05',
      method: 'bank_transfer',
      note: '振込超過分',
    });
    const more = await seller.post(`/deposits/${made.id}/refunds`, { amount: after.unallocated + 1 });
    assert.deepEqual([more.status, more.body.code], [422, 'overpayment']);
    const kept = await seller.delete(`/deposits/${made.id}`);
    assert.deepEqual([kept.status, kept.body.code], [409, 'has_refunds']);
    const free = await deposit(seller, { amount: 500, fee_amount: 40 });
    const fee = await seller.post(`/deposits/${free.id}/refunds`, { amount: 501 });
    assert.deepEqual([fee.status, fee.body.unallocated], [422, 500]);
    const all = await seller.post(`/deposits/${free.id}/refunds`, { amount: 500, method: 'cash' });
    assert.deepEqual(money(all.body.deposit), [0, 0, 0]);
    const open = await seller.get('/deposits?has_unallocated=true');
    assert.deepEqual(
      open.body.items.map((each: Shown) => each.id),
      [made.id],
    );
  });

  test('a change of what is said, and of the company while nothing is allocated', async () => {
    const seller = await newSeller(app);
    const [invoice] = await approvedInvoices(seller, 1);
    const made = await deposit(seller, { amount: 1_000 });
    const other = await seller.make('/crm/companies', { name: '別の会社' });
    const patch = (changes: unknown) => seller.patch(`/deposits/${made.id}`, changes);
    const changes = { payer_name: 'ﾔﾏﾀﾞ', bank_reference: 'R-1', note: '確認済み', external_id: 'B-2' };
    const changed = await patch({ ...changes, company_id: other.id, metadata: { a: 'b' } });
    assert.equal(changed.status, 200, changed.text);
    for (const [name, value] of Object.entries({ ...changes, company_id: other.id, metadata: { a: 'b' } }))
      assert.deepEqual(changed.body.deposit[name], value);
    const same = await patch(changes);
    assert.equal(same.body.deposit.updated_at, changed.body.deposit.updated_at);
    await patch({ company_id: null });
    await allocate(seller, made, { allocations: [{ invoice_id: invoice.id, amount: 10 }] });
    const refused = await patch({ company_id: other.id });
    assert.deepEqual([refused.status, refused.body.code], [409, 'has_allocations']);
    assert.equal((await patch({ company_id: seller.company.id, note: null })).status, 200);
  });

  test('deposits by company, days, method and what is left; by the day they came', async () => {
    const seller = await newSeller(app);
    const [invoice] = await approvedInvoices(seller, 1);
    const paid = await deposit(seller, {
      amount: TOTAL,
      allocations: [{ invoice_id: invoice.id, amount: TOTAL }],
    });
    const cash = await deposit(seller, { amount: 5, method: 'cash', received_on: '2026-04-30' });
    const found = async (query: string) =>
      (await seller.get(`/deposits?${query}`)).body.items.map((each: Shown) => each.id);
    assert.deepEqual(await found(''), [cash.id, paid.id]);
    assert.deepEqual(await found(`company_id=${seller.company.id}`), [paid.id]);
    assert.deepEqual(await found('method=cash'), [cash.id]);
    assert.deepEqual(await found('received_from=2026-05-01'), [paid.id]);
    assert.deepEqual(await found('received_to=2026-04-30'), [cash.id]);
    assert.deepEqual(await found('has_unallocated=false'), [paid.id]);
    assert.deepEqual(await found('sort=received_on:desc'), [paid.id, cash.id]);
  });

  test('a merge moves deposits; a company that has one is in use', async () => {
    const seller = await newSeller(app);
    const loser = await seller.make('/crm/companies', { name: '山田商店' });
    const made = await deposit(seller, { amount: 1_000, company_id: loser.id });
    const refused = await seller.delete(`/crm/companies/${loser.id}`);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.documents],
      [409, 'in_use', { deposit: 1 }],
    );
    const merged = await seller.post(`/crm/companies/${seller.company.id}/merge`, { loser_id: loser.id });
    assert.equal(merged.status, 200, merged.text);
    const moved = (await seller.get(`/deposits/${made.id}`)).body.deposit;
    assert.equal(moved.company_id, seller.company.id);
    const listed = await seller.get(`/deposits?company_id=${loser.id}`);
    assert.equal(listed.body.total, 1);
  });
});
