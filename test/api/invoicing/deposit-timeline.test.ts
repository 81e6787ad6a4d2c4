import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { allocate, approvedInvoices } from '../../support/deposit-calls.ts';
import { newSeller, type Seller } from '../../support/documents.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const itemsOf = async (seller: Seller, more = '') => {
  const reply = await seller.get(`/crm/timeline?company_id=${seller.company.id}${more}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data.filter(({ type }: Shown) => type === 'deposit');
};

describe('the timeline of a company', () => {
  test('tells when money came in, what it paid, and what was taken or paid back', async () => {
    const seller = await newSeller(app);
    const [invoice] = await approvedInvoices(seller, 1);
    const deposit = await seller.make('/deposits', {
      amount: 15_000,
      received_on: '2026-05-31',
      payer_name: 'ﾔﾏﾀﾞ',
    });
    assert.deepEqual(await itemsOf(seller), [], 'nobody knows whose it is');
    const paid = await allocate(seller, deposit, {
      allocations: [{ invoice_id: invoice.id, amount: 12_080 }],
    });
    assert.equal(paid.status, 201, paid.text);
    const [{ id }] = paid.body.deposit.allocations;
    assert.equal((await seller.post(`/deposits/${deposit.id}/refunds`, { amount: 1_000 })).status, 201);
    assert.equal((await seller.post(`/deposits/${deposit.id}/refunds`, { amount: 500 })).status, 201);
    assert.equal((await seller.patch(`/deposits/${deposit.id}`, { note: 'x' })).status, 200);
    assert.equal((await seller.delete(`/deposits/${deposit.id}/allocations/${id}`)).status, 200);
    const items = await itemsOf(seller);
    assert.deepEqual(
      items.map(({ data }: Shown) => [data.step, data.yen]),
      [
        ['released', 12_080],
        ['refunded', 500],
        ['refunded', 1_000],
        ['allocated', 12_080],
        ['received', 15_000],
      ],
    );
    assert.deepEqual(items[0].data, {
      entity_type: 'deposit',
      entity_id: deposit.id,
      action: 'update',
      step: 'released',
      yen: 12_080,
      allocations: [{ invoice_id: invoice.id, amount: 12_080 }],
      received_on: '2026-05-31',
      payer_name: 'ﾔﾏﾀﾞ',
    });
    const rest = await itemsOf(seller, `&starting_after=${items[3].id}`);
    assert.deepEqual(
      rest.map((item: Shown) => item.id),
      [items[4].id],
    );
    assert.equal((await seller.delete(`/crm/companies/${seller.company.id}`)).status, 409);
  });

  test('tells what was paid at once, when money came in with its allocations', async () => {
    const seller = await newSeller(app);
    const invoices = await approvedInvoices(seller, 2);
    const allocations = invoices.map(({ id }) => ({ invoice_id: id, amount: 1_000 }));
    await seller.make('/deposits', { amount: 2_500, received_on: '2026-05-31', allocations });
    const items = await itemsOf(seller);
    assert.deepEqual(
      items.map(({ data }: Shown) => [data.step, data.yen, data.allocations]),
      [
        ['allocated', 2_000, allocations],
        ['received', 2_500, []],
      ],
    );
    const rest = await itemsOf(seller, `&starting_after=${items[0].id}`);
    assert.deepEqual(
      rest.map(({ data }: Shown) => data.step),
      ['received'],
    );
  });

  test('of the survivor has what its loser paid, for those alone who may read deposits', async () => {
    const seller = await newSeller(app);
    const loser = await seller.make('/crm/companies', { name: '山田商店' });
    await seller.make('/deposits', { amount: 100, received_on: '2026-05-31', company_id: loser.id });
    const merged = await seller.post(`/crm/companies/${seller.company.id}/merge`, { loser_id: loser.id });
    assert.equal(merged.status, 200, merged.text);
    assert.deepEqual(
      (await itemsOf(seller)).map(({ data }: Shown) => [data.step, data.yen]),
      [['received', 100]],
    );
    const { organization_id } = seller;
    const reader = await app.actor({ organization_id, scopes: ['crm:read'] });
    const seen = await reader.get(`/crm/timeline?company_id=${seller.company.id}`);
    assert.equal(seen.status, 200);
    assert.equal(
      seen.body.data.some(({ type }: Shown) => type === 'deposit'),
      false,
    );
  });
});
