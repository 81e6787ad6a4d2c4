import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { BatchResult } from '../../shared/platform/batches/record.ts';
import { startApp } from '../support/app.ts';
import { entriesOf, startBatchWorkers } from '../support/batches.ts';
import { newSeller } from '../support/documents.ts';
import { ended, startExportWorkers } from '../support/exports.ts';
import { download, startRenderers } from '../support/pdf-documents.ts';
import { until } from '../support/until.ts';

const COUNT = 300;

const app = await startApp();
const folder = mkdtempSync(join(tmpdir(), 'month-end-'));
after(() => rmSync(folder, { recursive: true }));

test('300 invoices are approved, downloaded and mailed by three calls, also when a worker is killed', async () => {
  const seller = await newSeller(app);
  const { id: company_id } = await seller.make('/crm/companies', { name: '月末', email: 'm@example.com' });
  const ids: string[] = [];
  while (ids.length < COUNT) {
    const some = await Promise.all(Array.from({ length: 10 }, () => seller.draft('invoice', { company_id })));
    ids.push(...some.map(({ id }) => id as string));
  }
  ids.sort();

  const first = await startBatchWorkers(app);
  const { body } = await seller.post('/invoices/batch', { action: 'approve', filter: { status: 'draft' } });
  const progress = async () => (await seller.get(`/jobs/${body.job.id}`)).body.job.progress.done as number;
  await until('some invoices are approved', async () => (await progress()) >= 60);
  await first.kill();
  assert.ok((await progress()) < COUNT, 'the batch was done before its worker was killed');
  await startBatchWorkers(app);
  const approved = await ended(seller, body.job.id);
  assert.deepEqual(
    entriesOf(approved),
    ids.map((id) => ({ id, status: 200, code: null })),
  );
  const numbers = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query<{ number: string }>(
      'SELECT number FROM invoicing_documents WHERE organization_id = $1 ORDER BY id',
      [seller.organization_id],
    ),
  );
  assert.deepEqual(
    numbers.map(({ number }) => number),
    ids.map((_, place) => `INV-2026-${String(place + 1).padStart(4, '0')}`),
  );
  const told = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query<{ type: string; count: number }>(
      `SELECT type, count(*)::integer AS count FROM events
        WHERE organization_id = $1 AND type LIKE 'invoice.%' GROUP BY type ORDER BY type`,
      [seller.organization_id],
    ),
  );
  assert.deepEqual(told, [
    { type: 'invoice.approved', count: COUNT },
    { type: 'invoice.created', count: COUNT },
  ]);

  await startRenderers(app);
  await startExportWorkers(app);
  const asked = await seller.post('/invoices/files', { ids, form: 'pdf' });
  const joined = await until(
    'the PDFs are together',
    async () => {
      const { job } = (await seller.get(`/jobs/${asked.body.job.id}`)).body;
      return job.finished_at !== null && job;
    },
    600_000,
  );
  assert.equal(joined.status, 'succeeded', JSON.stringify(joined.error));
  const { bytes } = await download(app, seller, `/jobs/${joined.id}/file`);
  const file = join(folder, 'invoices.pdf');
  writeFileSync(file, bytes);
  assert.match(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' }), /No syntax or stream encoding/);
  assert.equal(execFileSync('qpdf', ['--show-npages', file], { encoding: 'utf8' }).trim(), String(COUNT));

  const mailing = await seller.post('/invoices/batch', { action: 'send-email', ids });
  const mailed = await ended(seller, mailing.body.job.id);
  assert.equal((mailed.result as BatchResult).succeeded, COUNT);
  const mails = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query('SELECT FROM invoicing_emails WHERE organization_id = $1', [seller.organization_id]),
  );
  assert.equal(mails.length, COUNT);
});
