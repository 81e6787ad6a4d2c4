import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { completeUploadJob } from '../../../shared/cloud/jobs.ts';
import { expireUploads } from '../../../shared/cloud/uploads/sweep.ts';
import { retryDeliveries } from '../../../shared/platform/outbox/dead-letters.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { freshDatabase } from '../../support/database.ts';
import { sha256, tusOf } from '../../support/tus.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const CONTENT = 'abcdef';
const DAY = 24 * 60 * 60_000;

/** One process of the service has the first bytes, the other one the last: neither knows the hash of all. */
const database = await freshDatabase();
const one = await startApp({ database });
const { storage, settings } = one.context;
const two = await startApp({ database, storage });
after(() => database.drop());

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  one.database.withConnection('*', (connection) => connection.query<Row>(text, values));

/** An upload that waits for a worker, at its last try, and whose bytes are not in the store. */
async function lost(office: Office) {
  const headers = { Authorization: `Bearer ${office.actor.secret}` };
  const other: Pick<Office, 'send'> = {
    send: (method, path, body, more = {}) => two.anonymous.send(method, path, body, { ...headers, ...more }),
  };
  const id = await tusOf(office).begin(CONTENT.length);
  assert.equal((await tusOf(office).patch(id, 0, CONTENT.slice(0, 3))).status, 204);
  assert.equal((await tusOf(other).patch(id, 3, CONTENT.slice(3))).status, 204);
  assert.equal((await tusOf(office).read(id)).status, 'completing');
  const [{ storage_key } = assert.fail()] = await query<{ storage_key: string }>(
    'SELECT storage_key FROM cloud_uploads WHERE id = $1',
    [id],
  );
  const path = join(settings.dataDir, 'files', `${storage_key}.part`);
  renameSync(path, `${path}.away`);
  const [{ id: delivery_id } = assert.fail()] = await query<{ id: string }>(
    `UPDATE outbox SET attempts = $2 WHERE name = 'cloud.complete_upload' AND payload ->> 'upload_id' = $1 RETURNING id`,
    [id, completeUploadJob.attempts - 1],
  );
  return { office, id, delivery_id, found: () => renameSync(`${path}.away`, path) };
}

const reserved = async (office: Office) => (await office.get('/cloud/usage')).body.usage.reserved_bytes;

const completed = ({ office, id }: { office: Office; id: string }) =>
  until('it is completed', async () => {
    const upload = await tusOf(office).read(id);
    return upload.status === 'completed' && upload;
  });

const uploads: Awaited<ReturnType<typeof lost>>[] = [];
for (let n = 0; n < 4; n += 1) uploads.push(await lost(await newOffice(one)));
await startWorkers({ DATABASE_URL: database.url, DATA_DIR: settings.dataDir }, ['--queues', 'storage']);
await until('all are given up', async () => {
  const rows = await query(
    `SELECT FROM outbox WHERE name = 'cloud.complete_upload' AND failed_at IS NOT NULL`,
  );
  return rows.length === uploads.length;
});

describe('an upload whose completion was given up', () => {
  test('is completed when it is asked for again and its bytes are there', async () => {
    const { office, id, found } = uploads[0]!;
    assert.equal((await tusOf(office).read(id)).status, 'receiving');
    found();
    const head = await tusOf(office).head(id);
    assert.deepEqual([head.status, head.headers.get('upload-offset')], [200, '6']);
    const { result_file_id } = await completed(uploads[0]!);
    const { file } = (await office.get(`/cloud/files/${result_file_id}`)).body;
    assert.equal(file.sha256, sha256(CONTENT));
    assert.equal(await reserved(office), 0);
  });

  test('begins anew where its bytes are lost', async () => {
    const { office, id } = uploads[1]!;
    const head = await tusOf(office).head(id);
    assert.deepEqual([head.status, head.headers.get('upload-offset')], [200, '0']);
    const again = await tusOf(office).patch(id, 0, CONTENT);
    assert.equal(again.status, 204, again.text);
    assert.equal((await tusOf(office).read(id)).status, 'completed');
  });

  test('is completed when an operator has it tried again', async () => {
    const { delivery_id, found } = uploads[2]!;
    found();
    assert.equal(
      await one.database.withConnection('*', (connection) =>
        retryDeliveries(connection, [delivery_id], new Date()),
      ),
      1,
    );
    await completed(uploads[2]!);
  });

  test('expires a day after its last byte, and gives its room back', async () => {
    const { office, id } = uploads[3]!;
    assert.equal(await reserved(office), 6);
    await expireUploads(one.database, new Date(Date.now() + DAY + 60_000), new AbortController().signal);
    assert.equal((await tusOf(office).read(id)).status, 'expired');
    assert.equal(await reserved(office), 0);
  });
});
