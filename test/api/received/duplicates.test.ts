import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBuyer } from '../../support/received.ts';

const app = await startApp();

describe('a number that its sender used in that year', () => {
  test('is refused with the ID of the other one, however it is written', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.register('invoice', { number: 'INV-118' });
    for (const number of ['INV-118', 'ｉｎｖ－１１８', ' inv - 118 ']) {
      const { status, body } = await buyer.attempt('invoice', { number });
      assert.deepEqual([status, body.code, body.existing_id], [409, 'duplicate_document', made.id], number);
    }
    const { items } = (await buyer.get('/received-invoices')).body;
    assert.equal(items.length, 1);
  });

  test('is free in another kind, another year, another company, and where no sender is known', async () => {
    const buyer = await newBuyer(app);
    const number = '118';
    await buyer.register('invoice', { number });
    const other = await buyer.make('/crm/companies', { name: '北商店' });
    await buyer.register('quotation', { number });
    await buyer.register('invoice', { number, issue_date: '2025-11-02' });
    await buyer.register('invoice', { number, company_id: other.id });
    await buyer.register('invoice', { number, company_id: null });
    await buyer.register('invoice', { number, company_id: null });
  });

  test('counts by the folded name where there is no company, and by the day of receipt without a date of issue', async () => {
    const buyer = await newBuyer(app);
    const sender = { company_id: null, number: '7', issue_date: null, received_on: '2026-05-01' };
    const made = await buyer.register('quotation', { ...sender, company_name: '㈱港文具' });
    const again = await buyer.attempt('quotation', { ...sender, company_name: '株式会社 港文具' });
    assert.deepEqual([again.status, again.body.existing_id], [409, made.id]);
    const later = { ...sender, company_name: '株式会社港文具', received_on: '2027-05-01' };
    assert.equal((await buyer.attempt('quotation', later)).status, 201);
  });

  test('is taken where it is allowed: the second one names the first', async () => {
    const buyer = await newBuyer(app);
    const first = await buyer.register('invoice', { number: '118' });
    const second = await buyer.register('invoice', { number: '118', allow_duplicate: true });
    assert.deepEqual([first.duplicate_of, second.duplicate_of], [null, first.id]);
    const kept = await buyer.change('invoice', second.id, { memo: '再発行' });
    assert.equal(kept.body.received_invoice.duplicate_of, first.id);
    const own = await buyer.change('invoice', second.id, { number: '119' });
    assert.equal(own.body.received_invoice.duplicate_of, null);
    const third = await buyer.attempt('invoice', { number: '119' });
    assert.deepEqual([third.status, third.body.existing_id], [409, second.id]);
  });

  test('is still had by the allowed one when the first is rejected or gone', async () => {
    const buyer = await newBuyer(app);
    const first = await buyer.register('invoice', { number: '118' });
    const second = await buyer.register('invoice', { number: '118', allow_duplicate: true });
    assert.equal((await buyer.act('invoice', first.id, 'reject')).status, 200);
    const third = await buyer.attempt('invoice', { number: '118' });
    assert.deepEqual(
      [third.status, third.body.code, third.body.existing_id],
      [409, 'duplicate_document', second.id],
    );
    assert.equal((await buyer.delete(`/received-invoices/${first.id}`)).status, 200);
    assert.equal((await buyer.attempt('invoice', { number: '118' })).body.existing_id, second.id);
    assert.equal((await buyer.change('invoice', second.id, { memo: '再発行' })).status, 200);
    assert.equal((await buyer.attempt('invoice', { number: '118' })).body.existing_id, second.id);
    assert.equal((await buyer.act('invoice', second.id, 'reject')).status, 200);
    assert.equal((await buyer.attempt('invoice', { number: '118' })).status, 201);
  });

  test('goes with both when their company is merged, and stays taken by the second', async () => {
    const buyer = await newBuyer(app);
    const other = await buyer.make('/crm/companies', { name: '北商店' });
    const sender = { number: '118', company_id: other.id };
    const first = await buyer.register('invoice', sender);
    const second = await buyer.register('invoice', { ...sender, allow_duplicate: true });
    const merged = await buyer.post(`/crm/companies/${buyer.company.id}/merge`, { loser_id: other.id });
    assert.equal(merged.status, 200, merged.text);
    assert.equal((await buyer.act('invoice', first.id, 'reject')).status, 200);
    const third = await buyer.attempt('invoice', { number: '118' });
    assert.deepEqual([third.status, third.body.existing_id], [409, second.id]);
  });

  test('is refused by a change too, and is free once the other one is gone', async () => {
    const buyer = await newBuyer(app);
    const first = await buyer.register('invoice', { number: '118' });
    const second = await buyer.register('invoice', { number: '119' });
    const refused = await buyer.change('invoice', second.id, { number: '118' });
    assert.deepEqual([refused.status, refused.body.existing_id], [409, first.id]);
    assert.equal((await buyer.delete(`/received-invoices/${first.id}`)).status, 200);
    assert.equal((await buyer.change('invoice', second.id, { number: '118' })).status, 200);
  });

  test('is made once of 50 calls at the same time', async () => {
    const buyer = await newBuyer(app);
    const calls = Array.from({ length: 50 }, () => buyer.attempt('invoice', { number: '2026-118' }));
    const replies = await Promise.all(calls);
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 1, replies.map(({ status }) => status).join());
    const { id } = made[0]!.body.received_invoice;
    for (const { status, body } of replies.filter((reply) => reply.status !== 201)) {
      assert.deepEqual([status, body.code, body.existing_id], [409, 'duplicate_document', id]);
    }
  });
});

describe('documents of one sender with one total', () => {
  test('name each other within 7 days', async () => {
    const buyer = await newBuyer(app);
    const first = await buyer.register('invoice', { issue_date: '2026-11-01' });
    const near = await buyer.register('invoice', { issue_date: '2026-11-08' });
    const far = await buyer.register('invoice', { issue_date: '2026-11-16' });
    assert.deepEqual([first.duplicates, near.duplicates, far.duplicates], [[], [first.id], []]);
    assert.deepEqual((await buyer.read('invoice', first.id)).duplicates, [near.id]);
    const changed = await buyer.change('invoice', far.id, { issue_date: '2026-11-15' });
    assert.deepEqual(changed.body.received_invoice.duplicates, [near.id]);
  });
});
