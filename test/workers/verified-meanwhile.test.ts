import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { verifyFiles } from '../../workers/cloud/verify-files.ts';
import { startApp } from '../support/app.ts';
import { newOffice } from '../support/cloud.ts';
import { takeJob } from '../support/deliveries.ts';

const app = await startApp();
const { storage } = app.context;

test('a version that is deleted while files are verified is no fault of the store', async () => {
  const office = await newOffice(app);
  const { id } = await office.file('a.txt', 'one');
  const gone = await office.file('gone.txt', 'gone');
  await office.store('a.txt', 'two');
  const [, old] = (await office.get(`/cloud/files/${id}/versions`)).body.items;
  const [row] = await app.database.withConnection(office.organization_id, ({ query }) =>
    query<{ storage_key: string }>('SELECT storage_key FROM cloud_items WHERE id = $1', [gone.id]),
  );
  await storage.remove(row!.storage_key);
  const { job } = (await office.post('/cloud/verify')).body;
  const { payload, delivery } = await takeJob<{ job_id: string }>(app, job.id);
  let isDeleted = false;
  /** The first reading comes after somebody has deleted the old version, and its bytes are removed. */
  const late = {
    async read(key: string) {
      if (!isDeleted) {
        isDeleted = true;
        assert.equal((await office.delete(`/cloud/files/${id}/versions/${old.id}`)).status, 200);
        const tomorrow = new Date(Date.now() + 25 * 60 * 60_000);
        await removeLooseFiles({ database: app.database, storage }, tomorrow, new AbortController().signal);
      }
      return storage.read(key);
    },
  } as Storage;
  await verifyFiles({ storage: late, scans: false })(payload, delivery);
  const { result } = (await office.get(`/jobs/${job.id}`)).body.job;
  assert.deepEqual(result, {
    checked: 3,
    bad_count: 1,
    bad: [{ version_id: gone.version_id, file_id: gone.id, reason: 'file_missing' }],
  });
});
