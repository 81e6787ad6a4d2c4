import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { ended } from '../../support/exports.ts';
import { somebodyWaits, whileHeld } from '../../support/held.ts';
import { download } from '../../support/pdf-documents.ts';
import { bankAccount, newPayer } from '../../support/received-payers.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
const { dataDir } = app.context.settings;
const start = () =>
  startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'pdf-render']);

test('a transfer file whose worker was killed before it ended is stored once, as it was asked for', async () => {
  const payer = await newPayer(app, 'off');
  await payer.patch('/invoice-settings', { bank_account: { ...bankAccount, number: '7654321' } });
  const { id } = await payer.approved({ bank_account: bankAccount });
  const asked = await payer.post('/received-invoices/transfer-file', { ids: [id], date: '2099-12-25' });
  assert.equal(asked.status, 202, asked.text);
  const job_id = asked.body.job.id;
  await whileHeld(app.database, 'received_transfer_files', async () => {
    const first = await start();
    await somebodyWaits(app.database);
    await first.kill();
  });
  await payer.pay(id, { amount: 100 });
  const second = await start();
  const job = await ended(payer, job_id);
  await second.stop();
  const { bytes } = await download(app, payer, `/jobs/${job_id}/file`);
  assert.deepEqual(
    [job.status, job.result],
    ['succeeded', { records: 1, amount: 110_000, sha256: createHash('sha256').update(bytes).digest('hex') }],
  );
  const stored = globSync(`**/${payer.organization_id}/transfers/${job_id}/**/file_*`, { cwd: dataDir });
  assert.equal(stored.length, 1, stored.join());
});
