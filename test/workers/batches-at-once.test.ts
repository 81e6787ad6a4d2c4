import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchResult } from '../../shared/platform/batches/record.ts';
import { startApp } from '../support/app.ts';
import { entriesOf, holdDocument, startBatchWorkers } from '../support/batches.ts';
import { newSeller } from '../support/documents.ts';
import { ended } from '../support/exports.ts';
import { until } from '../support/until.ts';

describe('two batches over the same records', () => {
  test('side by side, in opposite orders, both end, and each record is changed by one of them', async () => {
    const app = await startApp();
    const seller = await newSeller(app);
    const ids: string[] = [];
    while (ids.length < 24) ids.push((await seller.draft('invoice')).id);
    // Both are kept at a record in their midst until the other has begun, too.
    const release = await holdDocument(app, ids[12]!);
    const jobs: string[] = [];
    for (const order of [ids, ids.toReversed()]) {
      const reply = await seller.post('/invoices/batch', { action: 'approve', ids: order });
      jobs.push(reply.body.job.id);
    }
    await startBatchWorkers(app);
    await startBatchWorkers(app);
    await until('both wait for the record', async () => {
      const [waiting] = await app.database.withConnection('*', ({ query }) =>
        query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%invoicing_documents%'`,
        ),
      );
      return waiting?.count === 2;
    });
    await release();
    const [first, second] = await Promise.all(jobs.map((id) => ended(seller, id)));
    const [ours, theirs] = [entriesOf(first!), entriesOf(second!).toReversed()];
    for (const [place, id] of ids.entries()) {
      const outcomes = [ours[place]!, theirs[place]!].toSorted((a, b) => a.status! - b.status!);
      assert.deepEqual(outcomes, [
        { id, status: 200, code: null },
        { id, status: 409, code: 'invalid_transition' },
      ]);
    }
    const numbers = await Promise.all(ids.map(async (id) => (await seller.read('invoice', id)).number));
    assert.deepEqual(
      numbers.toSorted(),
      ids.map((_, place) => `INV-2026-${String(place + 1).padStart(4, '0')}`),
    );
    const { total } = (await seller.get('/invoices/audit-logs?action=update')).body;
    assert.equal(total, ids.length);
  });
});

describe('mails beyond a limit', () => {
  test('are entries 429, and their documents are as they were', async () => {
    const environment = { MAIL_RECIPIENTS_PER_HOUR: '2' };
    const app = await startApp({ environment });
    const seller = await newSeller(app);
    const company = await seller.make('/crm/companies', { name: '株式会社海', email: 'umi@example.com' });
    const ids: string[] = [];
    while (ids.length < 3)
      ids.push((await seller.after('invoice', ['approve'], { company_id: company.id })).id);
    await startBatchWorkers(app);
    const reply = await seller.post('/invoices/batch', { action: 'send-email', ids });
    const job = await ended(seller, reply.body.job.id);
    assert.deepEqual([job.status, job.progress.done], ['succeeded', 3]);
    assert.deepEqual(entriesOf(job), [
      { id: ids[0], status: 202, code: null },
      { id: ids[1], status: 202, code: null },
      { id: ids[2], status: 429, code: 'rate_limited' },
    ]);
    assert.equal((await seller.read('invoice', ids[2]!)).email.status, 'none');
  });

  test('of 60 on the first day of an organization ten are named and counted, and go when it is over', async () => {
    const app = await startApp({
      environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'service@example.com' },
    });
    const seller = await newSeller(app);
    const company = await seller.make('/crm/companies', { name: '株式会社海', email: 'umi@example.com' });
    const ids: string[] = [];
    while (ids.length < 60)
      ids.push((await seller.after('invoice', ['approve'], { company_id: company.id })).id);
    await startBatchWorkers(app);
    const send = async (asked: object) =>
      ended(seller, (await seller.post('/invoices/batch', { action: 'send-email', ...asked })).body.job.id);
    const job = await send({ filter: { status: 'approved' } });
    const { succeeded, failed, not_done } = job.result as BatchResult;
    assert.deepEqual([job.status, succeeded, failed, not_done], ['succeeded', 50, 10, 0]);
    assert.deepEqual(
      entriesOf(job).slice(50),
      ids.slice(50).map((id) => ({ id, status: 429, code: 'rate_limited' })),
    );
    await app.database.withConnection('*', ({ query }) =>
      query(`UPDATE organizations SET created_at = created_at - interval '2 days' WHERE id = $1`, [
        seller.organization_id,
      ]),
    );
    const rest = await send({ ids: ids.slice(50) });
    assert.equal((rest.result as BatchResult).succeeded, 10);
  });
});
