import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchResult } from '../../shared/platform/batches/record.ts';
import { startApp } from '../support/app.ts';
import { entriesOf, holdDocument, startBatchWorkers } from '../support/batches.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { ended } from '../support/exports.ts';
import { somebodyWaits } from '../support/held.ts';
import { until } from '../support/until.ts';

// Workers begin where a test says so, and end with it.
const app = await startApp();

/** Another owner of the same organization, who can look at what the first one asked for. */
const witness = (seller: Seller) => app.actor({ organization_id: seller.organization_id });

async function drafts(seller: Seller, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => seller.draft('invoice')));
  return made.map(({ id }) => id as string);
}

async function asked(seller: Seller, body: object): Promise<string> {
  const reply = await seller.post('/invoices/batch', body);
  assert.equal(reply.status, 202, reply.text);
  return reply.body.job.id;
}

describe('who may do less by the time of the job', () => {
  test('a key that was revoked does nothing more', async () => {
    const seller = await newSeller(app);
    const ids = await drafts(seller, 2);
    const job_id = await asked(seller, { action: 'approve', ids });
    const other = await witness(seller);
    await app.database.withConnection(seller.organization_id, ({ query }) =>
      query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [seller.actor.api_key_id]),
    );
    await startBatchWorkers(app);
    const job = await ended(other, job_id);
    assert.deepEqual(
      entriesOf(job),
      ids.map((id) => ({ id, status: 401, code: 'invalid_credentials' })),
    );
  });

  test('a lowered role does what it allows', async () => {
    const seller = await newSeller(app);
    const ids = await drafts(seller, 1);
    const approving = await asked(seller, { action: 'approve', ids });
    const copying = await asked(seller, { action: 'duplicate', ids });
    const other = await witness(seller);
    await app.database.withConnection(seller.organization_id, ({ query }) =>
      query(`UPDATE members SET role = 'member' WHERE organization_id = $1 AND user_id = $2`, [
        seller.organization_id,
        seller.actor.user_id,
      ]),
    );
    await startBatchWorkers(app);
    assert.deepEqual(entriesOf(await ended(other, approving)), [
      { id: ids[0], status: 403, code: 'insufficient_scope' },
    ]);
    assert.deepEqual(entriesOf(await ended(other, copying)), [{ id: ids[0], status: 201, code: null }]);
  });
});

describe('a batch that is cancelled', () => {
  test('in the middle keeps what was done, and names the rest', async () => {
    const seller = await newSeller(app);
    const ids = await drafts(seller, 25);
    const release = await holdDocument(app, ids[4]!);
    const job_id = await asked(seller, { action: 'approve', ids });
    await startBatchWorkers(app);
    await somebodyWaits(app.database);
    const reply = await seller.post(`/jobs/${job_id}/cancel`);
    assert.deepEqual([reply.status, reply.body.job.status], [200, 'cancelled'], reply.text);
    await release();
    const job = await until('the batch says what it did', async () => {
      const { job } = (await seller.get(`/jobs/${job_id}`)).body;
      return job.result !== null && job;
    });
    const { succeeded, failed, not_done } = job.result as BatchResult;
    assert.deepEqual([job.status, succeeded + not_done, failed], ['cancelled', 25, 0]);
    assert.ok(succeeded >= 5 && not_done >= 1, `${succeeded} were done, ${not_done} were not`);
    const { items } = (await seller.get('/invoices?status=approved')).body;
    assert.equal(items.length, succeeded);
    assert.deepEqual(entriesOf(job).at(-1), { id: ids[24], status: null, code: 'cancelled' });
  });

  test('before it began does nothing', async () => {
    const seller = await newSeller(app);
    const ids = await drafts(seller, 2);
    const job_id = await asked(seller, { action: 'approve', ids });
    assert.equal((await seller.post(`/jobs/${job_id}/cancel`)).status, 200);
    await startBatchWorkers(app);
    const job = await until('the batch says what it did', async () => {
      const { job } = (await seller.get(`/jobs/${job_id}`)).body;
      return job.result !== null && job;
    });
    assert.deepEqual(job.result, {
      succeeded: 0,
      failed: 0,
      not_done: 2,
      entries: ids.map((id) => ({ id, status: null, code: 'cancelled' })),
    });
  });
});

describe('a worker that is killed in the middle', () => {
  test('leaves the rest to another one, and what was done is reported as done', async () => {
    const seller = await newSeller(app);
    const ids = await drafts(seller, 8);
    const release = await holdDocument(app, ids[4]!);
    const job_id = await asked(seller, { action: 'approve', ids });
    const first = await startBatchWorkers(app);
    await somebodyWaits(app.database);
    await first.kill();
    await release();
    await startBatchWorkers(app);
    const job = await ended(seller, job_id);
    assert.deepEqual(
      entriesOf(job),
      ids.map((id) => ({ id, status: 200, code: null })),
    );
    const { items } = (await seller.get('/invoices/audit-logs?action=update&limit=200')).body;
    assert.equal(items.length, ids.length);
    const numbers = await Promise.all(ids.map(async (id) => (await seller.read('invoice', id)).number));
    assert.deepEqual(
      numbers,
      ids.map((_, place) => `INV-2026-000${place + 1}`),
    );
    const left = await app.database.withConnection(seller.organization_id, ({ query }) =>
      query('SELECT FROM batch_entries WHERE organization_id = $1', [seller.organization_id]),
    );
    assert.equal(left.length, 0);
  });
});
