import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();

const own = { external_id: 'S-1', metadata: { statement: '2026-05-29' } };

const keysOf = ({ external_id, metadata }: Record<string, unknown>) => ({ external_id, metadata });

const pay = (seller: Seller, id: string, body: Record<string, unknown> = {}) =>
  seller.post(`/invoices/${id}/payments`, body);

describe('external_id and metadata of a payment', () => {
  test('are taken by both calls that record one, and shown wherever it is', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const first = (await pay(seller, id, { ...own, amount: 80 })).body.payment;
    assert.deepEqual(keysOf(first), own);
    const marked = await seller.act('invoice', id, 'mark-paid', { external_id: 'S-2' });
    assert.deepEqual(keysOf(marked.body.payment), { external_id: 'S-2', metadata: {} });
    assert.deepEqual((await seller.get(`/invoices/${id}/payments/${first.id}`)).body.payment, first);
    for (const list of ['/payments', `/invoices/${id}/payments`]) {
      const found = await seller.get(`${list}?external_id=S-1,S-3`);
      assert.deepEqual(found.body.items, [first]);
      assert.equal((await seller.get(`${list}?external_id=S-1,S-2`)).body.total, 2);
    }
  });

  test('change, and nothing else of the payment or its invoice does', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const { payment, invoice } = (await pay(seller, id, { ...own, amount: 80 })).body;
    const path = `/invoices/${id}/payments/${payment.id}`;
    const told = await toldBy(app, seller.organization_id, async () => {
      const changed = await seller.patch(path, { external_id: 'S-9', metadata: { statement: null, b: '2' } });
      const { updated_at, ...shown } = changed.body.payment;
      assert.ok(updated_at > payment.updated_at);
      const { updated_at: _, ...before } = payment;
      assert.deepEqual(shown, { ...before, external_id: 'S-9', metadata: { b: '2' } });
    });
    assert.deepEqual(
      [told.events, told.audit.map(({ entity_type, action, changes }) => [entity_type, action, changes])],
      [[], [['payment', 'update', { external_id: ['S-1', 'S-9'], metadata: [own.metadata, { b: '2' }] }]]],
    );
    assert.deepEqual(await seller.read('invoice', id), invoice);
    assert.equal((await seller.patch(path, { amount: 90 })).body.errors[0].code, 'unknown_field');
    const same = await toldBy(app, seller.organization_id, () => seller.patch(path, { external_id: 'S-9' }));
    assert.deepEqual(same, { events: [], audit: [] });
  });

  test('are changed by nobody who saw another payment, or reads it in another invoice', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const other = await seller.after('invoice', ['approve']);
    const { payment } = (await pay(seller, id)).body;
    const path = `/invoices/${id}/payments/${payment.id}`;
    const etag = (await seller.get(path)).headers.get('etag')!;
    assert.equal((await seller.patch(path, { external_id: 'S-1' }, { 'If-Match': etag })).status, 200);
    const late = await seller.patch(path, { external_id: 'S-2' }, { 'If-Match': etag });
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed']);
    const elsewhere = await seller.patch(`/invoices/${other.id}/payments/${payment.id}`, {});
    assert.equal(elsewhere.status, 404);
  });

  test('a key in use is refused with the payment that has it; its deletion frees it', async () => {
    const seller = await newSeller(app);
    const one = await seller.after('invoice', ['approve']);
    const other = await seller.after('invoice', ['approve']);
    const { payment } = (await pay(seller, one.id, own)).body;
    const refused = await pay(seller, other.id, own);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.existing_id],
      [409, 'already_exists', payment.id],
    );
    assert.equal((await seller.read('invoice', other.id)).balance, other.balance);
    const second = (await pay(seller, other.id)).body.payment;
    const taken = await seller.patch(`/invoices/${other.id}/payments/${second.id}`, own);
    assert.deepEqual([taken.status, taken.body.existing_id], [409, payment.id]);
    assert.equal((await seller.delete(`/invoices/${one.id}/payments/${payment.id}`)).status, 200);
    assert.equal((await pay(seller, one.id, own)).status, 201);
  });

  test('of many that settle different invoices under one key at once, one is taken', async () => {
    const seller = await newSeller(app);
    const invoices = [];
    for (let n = 0; n < 6; n += 1) invoices.push(await seller.after('invoice', ['approve']));
    const replies = await Promise.all(invoices.map(({ id }) => pay(seller, id, own)));
    const [taken, ...rest] = replies.filter(({ status }) => status === 201);
    assert.deepEqual(rest, []);
    for (const { status, body } of replies.filter((reply) => reply !== taken)) {
      assert.deepEqual([status, body.existing_id], [409, taken!.body.payment.id]);
    }
    assert.equal((await seller.get('/payments')).body.total, 1);
  });
});

describe('the list of payments', () => {
  test('is bounded and ordered by the last change', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const one = (await pay(seller, id, { amount: 80 })).body.payment;
    const other = (await pay(seller, id)).body.payment;
    const { body } = await seller.patch(`/invoices/${id}/payments/${one.id}`, own);
    const ids = async (query: string) =>
      (await seller.get(`/payments?${query}`)).body.items.map((found: { id: string }) => found.id);
    assert.deepEqual(await ids('sort=updated_at:desc'), [one.id, other.id]);
    assert.deepEqual(await ids(`updated_after=${body.payment.updated_at}`), [one.id]);
    assert.deepEqual(await ids(`updated_before=${body.payment.updated_at}`), [other.id]);
  });
});
