import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../shared/kernel/id.ts';
import { startApp } from '../support/app.ts';
import { entriesOf, startBatchWorkers } from '../support/batches.ts';
import { ended } from '../support/exports.ts';
import { type Decider, newDecider } from '../support/received-life.ts';

const app = await startApp();

await startBatchWorkers(app);

/** The outcome of each invoice of a batch that a worker has ended. */
async function batch(
  buyer: Decider,
  body: object,
): Promise<[id: string, status: number | null, code: string | null][]> {
  const reply = await buyer.post('/received-invoices/batch', body);
  assert.equal(reply.status, 202, reply.text);
  const job = await ended(buyer, reply.body.job.id);
  assert.deepEqual([job.status, job.kind], ['succeeded', 'received.invoices.batch']);
  return entriesOf(job).map(({ id, status, code }) => [id, status, code]);
}

test('a batch approves, rejects and pays as the single calls do, each by its own checks', async () => {
  const buyer = await newDecider(app);
  const account = { bank: 'みずほ銀行', number: '1234567', holder: 'ヤマダ' };
  const good = await buyer.register('invoice', { bank_account: account });
  const bare = await buyer.register('invoice', { issue_date: null });
  const other = await buyer.register('invoice', { bank_account: { ...account, number: '7654321' } });
  const unknown = newId('rinv', new Date());
  const ids = [good.id, bare.id, other.id, unknown];
  assert.deepEqual(await batch(buyer, { action: 'approve', ids, posting_date: '2026-05-01' }), [
    [good.id, 200, null],
    [bare.id, 422, 'incomplete'],
    [other.id, 409, 'bank_account_changed'],
    [unknown, 404, 'not_found'],
  ]);
  assert.equal((await buyer.read('invoice', good.id)).posting_date, '2026-05-01');
  const filter = { status: 'pending', company_id: buyer.company.id };
  assert.deepEqual(await batch(buyer, { action: 'reject', filter, reason: '二重' }), [
    [bare.id, 200, null],
    [other.id, 200, null],
  ]);
  assert.equal((await buyer.read('invoice', bare.id)).reject_reason, '二重');
  assert.deepEqual(await batch(buyer, { action: 'mark-paid', ids: [good.id, other.id] }), [
    [good.id, 200, null],
    [other.id, 409, 'invalid_transition'],
  ]);
  assert.equal((await buyer.read('invoice', good.id)).status, 'paid');
});
