import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import { startApp } from '../support/app.ts';
import { makePdf, PDF_BYTES } from '../support/document-pdfs.ts';
import { newSeller } from '../support/documents.ts';
import { ended } from '../support/exports.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const environment = { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir };
const startCopying = () => startWorkers(environment, ['--queues', 'storage']);

test('a worker that is killed between the bytes of a copy and its rows leaves one file, and its bytes alone', async () => {
  const seller = await newSeller(app);
  const { organization_id } = seller;
  const invoice = await seller.after('invoice', ['approve']);
  await makePdf(app, organization_id, invoice.id);
  const source = { type: 'invoice', id: invoice.id };
  const asked = await seller.post('/cloud/files', { source }, { Prefer: 'respond-async' });
  assert.equal(asked.status, 202, asked.text);
  const loose = () =>
    app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT storage_key FROM loose_files WHERE organization_id = $1', [organization_id]),
    );
  // The room of the copy is taken when its bytes are there, before its rows.
  await whileHeld(app.database, 'cloud_usage', async () => {
    const first = await startCopying();
    await until('the bytes are stored', async () => (await loose()).length === 1);
    await somebodyWaits(app.database);
    await first.kill();
  });
  const second = await startCopying();
  const job = await ended(seller, asked.body.job.id);
  await second.stop();
  assert.equal(job.status, 'succeeded', JSON.stringify(job));
  const { items } = (await seller.get('/cloud/files')).body;
  assert.deepEqual(
    items.map(({ id, links }: { id: string; links: object[] }) => [id, links]),
    [[job.result!['file_id'], [source]]],
  );
  const content = await seller.get(`/cloud/files/${items[0].id}/content`);
  assert.equal(content.text, PDF_BYTES.toString());
  const { used_bytes, reserved_bytes } = (await seller.get('/cloud/usage')).body.usage;
  assert.deepEqual([used_bytes, reserved_bytes], [PDF_BYTES.length, 0]);
  assert.equal((await loose()).length, 1);
  const tomorrow = new Date(Date.now() + 25 * 60 * 60_000);
  assert.equal(await removeLooseFiles(app.context, tomorrow, new AbortController().signal), 1);
  assert.deepEqual(await loose(), []);
});
