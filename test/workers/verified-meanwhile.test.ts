import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_IN_A_ROW, StoreAway } from '../../shared/platform/intake/store-away.ts';
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

/** An office with files, the job that verifies them, and the key of one. */
async function toVerify(count: number) {
  const office = await newOffice(app);
  const files = [];
  for (let number = 0; number < count; number += 1) {
    files.push(await office.file(`${number}.txt`, `content ${number}`));
  }
  const { job } = (await office.post('/cloud/verify')).body;
  return { office, files, job, ...(await takeJob<{ job_id: string }>(app, job.id)) };
}

const broken = () => Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }));

test('a version that cannot be read is named, and the others are read', async () => {
  const { office, files, job, payload, delivery } = await toVerify(3);
  const [, damaged] = files;
  const [row] = await app.database.withConnection(office.organization_id, ({ query }) =>
    query<{ storage_key: string }>('SELECT storage_key FROM cloud_items WHERE id = $1', [damaged!.id]),
  );
  const one = {
    read: (key: string) => (key === row!.storage_key ? broken() : storage.read(key)),
  } as Storage;
  await verifyFiles({ storage: one, scans: false })(payload, delivery);
  const { result } = (await office.get(`/jobs/${job.id}`)).body.job;
  assert.deepEqual(result, {
    checked: 3,
    bad_count: 1,
    bad: [{ version_id: damaged!.version_id, file_id: damaged!.id, reason: 'file_unreadable' }],
  });
});

test('a store that gives no file is looked at, and fails the try where it is away', async () => {
  let reads = 0;
  const away = (check: () => Promise<void>) =>
    ({ read: () => broken().finally(() => (reads += 1)), check }) as unknown as Storage;
  const { office, job, payload, delivery } = await toVerify(MOST_IN_A_ROW + 1);
  await assert.rejects(
    async () => verifyFiles({ storage: away(broken), scans: false })(payload, delivery),
    (error) => error instanceof StoreAway && /^20 files in a row .*: EIO/.test(error.message),
  );
  assert.equal(reads, MOST_IN_A_ROW);
  await verifyFiles({ storage: away(async () => undefined), scans: false })(payload, delivery);
  const { result } = (await office.get(`/jobs/${job.id}`)).body.job;
  assert.deepEqual([result.checked, result.bad_count], [MOST_IN_A_ROW + 1, MOST_IN_A_ROW + 1]);
});
