import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { allocate, approvedInvoices } from '../../support/deposit-calls.ts';
import { newSeller, type Seller } from '../../support/documents.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;
const DAY = '2026-05-31';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const deposit = (seller: Seller, fields: Record<string, unknown>) =>
  seller.make('/deposits', { received_on: DAY, ...fields });

describe('404, 409 and 422', () => {
  const codes = ({ body }: Shown) => [body.code, body.errors?.map(({ path, code }: Shown) => [path, code])];

  test('more than the deposit, than a balance, of two companies, twice, unknown', async () => {
    const seller = await newSeller(app);
    const [one, two] = await approvedInvoices(seller, 2);
    const foreign = await seller.make('/crm/companies', { name: '別の会社' });
    const [other] = await approvedInvoices(seller, 1, { company_id: foreign.id });
    const sent = (allocations: unknown, fields = {}) =>
      seller.post('/deposits', { amount: 13_000, received_on: DAY, allocations, ...fields });
    const over = await sent([one, two].map(({ id }) => ({ invoice_id: id, amount: 7_000 })));
    assert.deepEqual([over.status, over.body.code, over.body.unallocated], [422, 'over_allocated', 13_000]);
    const beyond = await sent([{ invoice_id: one.id, amount: TOTAL + 1 }]);
    assert.deepEqual(codes(beyond), ['overpayment', [['/allocations/0/amount', 'overpayment']]]);
    assert.equal(beyond.body.balance, TOTAL);
    const mixed = await sent([one, other].map(({ id }) => ({ invoice_id: id, amount: 1 })));
    assert.deepEqual(codes(mixed), ['companies_differ', [['/allocations/1/invoice_id', 'companies_differ']]]);
    const named = await sent([{ invoice_id: one.id, amount: 1 }], { company_id: foreign.id });
    assert.equal(named.body.code, 'companies_differ');
    const twice = await sent([one, one].map(({ id }) => ({ invoice_id: id, amount: 1 })));
    assert.deepEqual(codes(twice), ['validation_failed', [['/allocations/1/invoice_id', 'duplicate']]]);
    const stranger = await newSeller(app);
    const [theirs] = await approvedInvoices(stranger, 1);
    const unknown = await sent([{ invoice_id: theirs.id, amount: 1 }]);
    assert.deepEqual(codes(unknown), [
      'unknown_reference',
      [['/allocations/0/invoice_id', 'unknown_reference']],
    ]);
    const company = await sent([], { company_id: stranger.company.id });
    assert.deepEqual(codes(company), ['unknown_reference', [['/company_id', 'unknown_reference']]]);
    const fee = await sent([{ invoice_id: one.id, amount: 100 }], { fee_amount: 101 });
    assert.deepEqual(codes(fee), ['validation_failed', [['/allocations/0/amount', 'too_small']]]);
    const draft = await seller.draft('invoice');
    const early = await sent([{ invoice_id: draft.id, amount: 1 }]);
    assert.deepEqual([early.status, early.body.code], [409, 'invalid_transition']);
    assert.deepEqual((await seller.get('/deposits')).body.total, 0);
    assert.deepEqual((await seller.get('/payments')).body.total, 0);
  });

  test('a day far ahead, an offset, a key in use', async () => {
    const seller = await newSeller(app);
    const sent = (fields: Record<string, unknown>) =>
      seller.post('/deposits', { amount: 1, received_on: DAY, ...fields });
    const ahead = await sent({ received_on: '2999-01-01' });
    assert.deepEqual(codes(ahead), ['future_date', [['/received_on', 'future_date']]]);
    assert.equal((await sent({ received_on: '2999-01-01', allow_future: true })).status, 201);
    assert.deepEqual(codes(await sent({ method: 'offset' })), [
      'validation_failed',
      [['/method', 'invalid_value']],
    ]);
    const { deposit: first } = (await sent({ external_id: 'B-1' })).body;
    const again = await sent({ external_id: 'B-1' });
    assert.deepEqual([again.status, again.body.existing_id], [409, first.id]);
    const refund = await seller.post(`/deposits/${first.id}/refunds`, {
      amount: 1,
      refunded_on: '2999-01-01',
    });
    assert.deepEqual(codes(refund), ['future_date', [['/refunded_on', 'future_date']]]);
  });

  test('more than 200 allocations, and more than 100 refunds', async () => {
    const seller = await newSeller(app);
    const invoices = await approvedInvoices(seller, 4);
    const made = await deposit(seller, { amount: 400 });
    const allocations = invoices.map(({ id }) => ({ invoice_id: id, amount: 1 }));
    const again = (amount: number) =>
      seller.post(`/deposits/${made.id}/allocations`, { allocations: allocations.slice(0, amount) });
    for (let turn = 0; turn < 50; turn += 1) assert.equal((await again(4)).status, 201);
    assert.deepEqual(codes(await again(1)), ['validation_failed', [['/allocations', 'too_many']]]);
    const refund = () => seller.post(`/deposits/${made.id}/refunds`, { amount: 1 });
    for (let turn = 0; turn < 100; turn += 1) assert.equal((await refund()).status, 201);
    assert.deepEqual(codes(await refund()), ['validation_failed', [['/amount', 'too_many']]]);
    const { deposit: left } = (await seller.get(`/deposits/${made.id}`)).body;
    assert.deepEqual([left.allocations.length, left.refunds.length, left.unallocated], [200, 100, 100]);
  });

  test('a stale If-Match, and a deposit of another organization', async () => {
    const seller = await newSeller(app);
    const [invoice] = await approvedInvoices(seller, 1);
    const made = await deposit(seller, { amount: 1_000 });
    const etag = (await seller.get(`/deposits/${made.id}`)).headers.get('etag')!;
    const body = { allocations: [{ invoice_id: invoice.id, amount: 1 }] };
    assert.equal((await allocate(seller, made, body)).status, 201);
    const stale = await seller.post(`/deposits/${made.id}/refunds`, { amount: 1 }, { 'If-Match': etag });
    assert.equal(stale.status, 412, stale.text);
    const stranger = await newSeller(app);
    for (const reply of [
      await stranger.get(`/deposits/${made.id}`),
      await stranger.patch(`/deposits/${made.id}`, { note: 'x' }),
      await stranger.delete(`/deposits/${made.id}`),
      await stranger.post(`/deposits/${made.id}/refunds`, { amount: 1 }),
    ])
      assert.equal(reply.status, 404, reply.text);
  });
});
