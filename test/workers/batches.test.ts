import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../shared/kernel/id.ts';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import { startApp } from '../support/app.ts';
import { entriesOf, startBatchWorkers } from '../support/batches.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { ended } from '../support/exports.ts';

const app = await startApp();

await startBatchWorkers(app);

async function batch(seller: Seller, path: string, body: object): Promise<JobResource> {
  const reply = await seller.post(`/${path}/batch`, body);
  assert.equal(reply.status, 202, reply.text);
  return ended(seller, reply.body.job.id);
}

describe('the result of a batch', () => {
  test('has for each record what its single call would have answered', async () => {
    const seller = await newSeller(app);
    const first = await seller.draft('invoice');
    const approved = await seller.after('invoice', ['approve']);
    const unknown = newId('inv', new Date());
    const last = await seller.draft('invoice');
    const ids = [last.id, approved.id, unknown, first.id];
    const job = await batch(seller, 'invoices', { action: 'approve', ids });
    assert.deepEqual([job.status, job.kind], ['succeeded', 'invoicing.invoices.batch']);
    assert.deepEqual(job.progress, { done: 4, total: 4, unit: 'records' });
    assert.deepEqual(job.result, {
      succeeded: 2,
      failed: 2,
      not_done: 0,
      entries: [
        { id: last.id, status: 200, code: null },
        { id: approved.id, status: 409, code: 'invalid_transition' },
        { id: unknown, status: 404, code: 'not_found' },
        { id: first.id, status: 200, code: null },
      ],
    });
    const [listed] = (await seller.get('/jobs?kind=invoicing.invoices.batch')).body.items;
    assert.deepEqual(listed, { ...job, result: { succeeded: 2, failed: 2, not_done: 0 } });
    const numbers = await Promise.all(
      [last, first].map(async ({ id }) => (await seller.read('invoice', id)).number),
    );
    assert.deepEqual(numbers, ['INV-2026-0002', 'INV-2026-0003']);
  });

  test('takes those that a filter leaves, the oldest first', async () => {
    const seller = await newSeller(app);
    const drafts = [await seller.draft('invoice'), await seller.draft('invoice')];
    await seller.after('invoice', ['approve', 'cancel']);
    const filter = { status: 'draft', company_id: seller.company.id };
    const job = await batch(seller, 'invoices', { action: 'approve', filter });
    assert.deepEqual(
      entriesOf(job),
      drafts.map(({ id }) => ({ id, status: 200, code: null })),
    );
    const none = await batch(seller, 'invoices', { action: 'approve', filter });
    assert.deepEqual([none.status, entriesOf(none)], ['succeeded', []]);
  });

  test('passes on what the action takes, of every kind of document', async () => {
    const seller = await newSeller(app);
    const quotation = await seller.after('quotation', ['send']);
    const note = await seller.draft('delivery_note');
    const order = await seller.draft('purchase_order');
    const asked: [string, object, string, number][] = [
      ['quotations', { action: 'reject', reason: '予算' }, quotation.id, 200],
      ['delivery-notes', { action: 'deliver' }, note.id, 200],
      ['delivery-notes', { action: 'convert', subject: '4月分' }, note.id, 201],
      ['purchase-orders', { action: 'send' }, order.id, 200],
      ['purchase-orders', { action: 'duplicate' }, order.id, 201],
    ];
    for (const [path, body, id, status] of asked) {
      const job = await batch(seller, path, { ...body, ids: [id] });
      assert.deepEqual(entriesOf(job), [{ id, status, code: null }], `${path} ${JSON.stringify(body)}`);
    }
    assert.equal((await seller.read('quotation', quotation.id)).reject_reason, '予算');
    const [made] = (await seller.get('/invoices')).body.items;
    assert.equal(made.subject, '4月分');
  });

  test('mails to each document its own recipient, and pays each balance', async () => {
    const seller = await newSeller(app);
    const ids: string[] = [];
    for (const name of ['a', 'b']) {
      const company = await seller.make('/crm/companies', { name, email: `${name}@example.com` });
      ids.push((await seller.after('invoice', ['approve'], { company_id: company.id })).id);
    }
    const mailed = await batch(seller, 'invoices', { action: 'send-email', ids, cc: ['keiri@example.com'] });
    assert.deepEqual(
      entriesOf(mailed).map(({ status }) => status),
      [202, 202],
    );
    const [a, b] = await Promise.all(ids.map((id) => seller.read('invoice', id)));
    assert.deepEqual([a.email.to, b.email.to], [['a@example.com'], ['b@example.com']]);
    const paid = await batch(seller, 'invoices', { action: 'mark-paid', ids, paid_at: '2026-05-31' });
    assert.deepEqual([(paid.result as { succeeded: number }).succeeded], [2]);
    assert.equal((await seller.read('invoice', ids[0]!)).status, 'paid');
  });
});

describe('on behalf of who asked', () => {
  test('audit entries and events are those of single calls', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice');
    const reply = await seller.post('/invoices/batch', { action: 'approve', ids: [id] });
    await ended(seller, reply.body.job.id);
    const { items } = (await seller.get(`/invoices/audit-logs?entity_id=${id}&action=update`)).body;
    const [{ actor, request_id, ip_address }] = items;
    assert.deepEqual(actor, { type: 'api_key', id: seller.actor.api_key_id });
    assert.equal(request_id, reply.headers.get('request-id'));
    assert.ok(ip_address);
    assert.equal((await seller.read('invoice', id)).approved_by, seller.actor.user_id);
  });
});
