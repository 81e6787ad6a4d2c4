import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDeliveries } from '../../shared/platform/outbox/dead-letters.ts';
import { startApp } from '../support/app.ts';
import { entriesOf } from '../support/batches.ts';
import { giveUpPdf } from '../support/document-pdfs.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { ended, startExportWorkers } from '../support/exports.ts';
import { renderings, startRenderers } from '../support/pdf-documents.ts';
import { until } from '../support/until.ts';

const app = await startApp();

const jobOf = async (seller: Seller, job_id: string) => (await seller.get(`/jobs/${job_id}`)).body.job;

test('files that wait for their PDFs leave the places of exports to others, and are made in the end', async () => {
  // More organizations than the queue has places.
  const waiting: { seller: Seller; ids: string[]; job_id: string }[] = [];
  while (waiting.length < 4) {
    const seller = await newSeller(app);
    const ids = [(await seller.draft('invoice')).id, (await seller.draft('invoice')).id];
    const reply = await seller.post('/invoices/files', { ids });
    waiting.push({ seller, ids, job_id: reply.body.job.id });
  }
  const workers = await startExportWorkers(app);
  for (const { seller, ids } of waiting) {
    await until('the PDFs are asked for', async () => (await renderings(app, seller)) === ids.length);
  }
  const other = await newSeller(app);
  for (const exporting of [other, waiting[0]!.seller]) {
    const reply = await exporting.post('/invoices/export', {});
    assert.equal((await ended(exporting, reply.body.job.id)).status, 'succeeded');
  }
  for (const { seller, ids, job_id } of waiting) {
    const { status, progress } = await jobOf(seller, job_id);
    assert.deepEqual([status, progress], ['running', { done: 0, total: ids.length, unit: 'files' }]);
  }
  await startRenderers(app);
  for (const { seller, ids, job_id } of waiting) {
    const job = await ended(seller, job_id);
    assert.deepEqual(
      entriesOf(job),
      ids.map((id) => ({ id, status: 200, code: null })),
    );
    const [counted] = await app.database.withConnection(seller.organization_id, ({ query }) =>
      query(`SELECT count(*)::integer AS count FROM jobs WHERE organization_id = $1 AND kind LIKE '%pdf%'`, [
        seller.organization_id,
      ]),
    );
    assert.equal(counted?.['count'], ids.length);
  }
  await workers.stop();
});

test('a PDF that could not be made is asked for again when an operator retries the files', async () => {
  const seller = await newSeller(app);
  const ids = [
    (await seller.after('invoice', ['approve'])).id,
    (await seller.after('invoice', ['approve'])).id,
  ];
  const reply = await seller.post('/invoices/files', { ids });
  const job_id = reply.body.job.id;
  const query = (text: string) =>
    app.database.withConnection(seller.organization_id, (connection) => connection.query(text, [job_id]));
  const first = await startExportWorkers(app);
  await until('the PDFs are asked for', async () => {
    const rows = await query('SELECT FROM batch_entries WHERE batch_id = $1 AND content_key IS NOT NULL');
    return rows.length === ids.length;
  });
  await first.kill();
  await giveUpPdf(app, seller.organization_id, ids[0]!);
  const [given_up] = await query(
    `UPDATE outbox SET failed_at = now(), error = 'Given up', taken_by = NULL WHERE job_id = $1 RETURNING id`,
  );
  await app.database.withConnection('*', (connection) =>
    retryDeliveries(connection, [given_up?.['id'] as string], new Date()),
  );
  const renderers = await startRenderers(app);
  const second = await startExportWorkers(app);
  const job = await ended(seller, job_id);
  await Promise.all([renderers.stop(), second.stop()]);
  assert.deepEqual(
    entriesOf(job),
    ids.map((id) => ({ id, status: 200, code: null })),
  );
});
