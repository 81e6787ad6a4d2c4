import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openScanner } from '../../../shared/platform/intake/open-scanner.ts';
import { scanPendingFiles } from '../../../shared/platform/intake/scan-pending.ts';
import { startApp } from '../../support/app.ts';
import { EICAR, startClamd } from '../../support/clamd.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { ended } from '../../support/exports.ts';
import { tusOf } from '../../support/tus.ts';
import { until } from '../../support/until.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

const MIB = 1024 * 1024;
const scanner = await startClamd({ most_bytes: MIB });
const environment = { CLAMD_URL: scanner.url, CLAMD_MAX_BYTES: String(MIB) };
const app = await startApp({ environment });
// They make archives and verify; scans are done by the test, one look at a time.
await startWorkers(
  { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir, ...environment },
  ['--queues', 'report-export'],
);
const never = new AbortController().signal;

const scanOf = async (office: Office, id: string) => (await office.get(`/cloud/files/${id}`)).body.file.scan;

const scansOfVersions = async (office: Office, id: string): Promise<[number, string][]> =>
  (await office.get(`/cloud/files/${id}/versions`)).body.items.map(
    ({ number, scan }: { number: number; scan: string }) => [number, scan],
  );

function scanPending(): Promise<number> {
  return scanPendingFiles(app.context, openScanner(app.context.settings)!, new Date(), never);
}

describe('content that came by a resumable upload', () => {
  test('is pending until the scanner has read it from the store', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const made = async (content: string | Uint8Array, filename: string) =>
      (await tus.create(content, { filename })).headers.get('cloud-file-id')!;
    const [virus, clean] = [await made(EICAR, 'virus.txt'), await made('abc', 'clean.txt')];
    const large = await made(Buffer.alloc(MIB + 1), 'large.bin');
    assert.deepEqual(await Promise.all([virus, clean, large].map((id) => scanOf(office, id))), [
      'pending',
      'pending',
      'unscanned',
    ]);
    await scanPending();
    assert.deepEqual(await Promise.all([virus, clean, large].map((id) => scanOf(office, id))), [
      'quarantined',
      'clean',
      'unscanned',
    ]);
    assert.equal((await office.get(`/cloud/files/${virus}/content`)).status, 409);
  });
});

describe('content with malware', () => {
  test('is kept quarantined, counted, and given to nobody', async () => {
    const owner = await newOffice(app);
    const member = await owner.colleague();
    const put = await member.store('virus.txt', EICAR);
    assert.deepEqual([put.status, put.body.file.scan], [201, 'quarantined'], put.text);
    const form = await member.post('/cloud/files', formWith(EICAR, { name: 'again.txt' }));
    assert.deepEqual([form.status, form.body.file.scan], [201, 'quarantined'], form.text);
    const { id, version_id } = put.body.file;
    for (const reader of [owner, member, await owner.colleague('admin')]) {
      for (const path of [
        `/cloud/files/${id}/content`,
        `/cloud/files/${id}/versions/${version_id}/content`,
      ]) {
        for (const range of ['bytes=0-', 'bytes=0-3']) {
          const { status, body } = await reader.get(path, { Range: range });
          assert.deepEqual([status, body.code], [409, 'quarantined'], path);
        }
      }
    }
    const copied = await owner.post('/received-invoices', { cloud_file_id: id });
    assert.deepEqual([copied.status, copied.body.code], [409, 'quarantined'], copied.text);
    assert.equal((await owner.get('/cloud/usage')).body.usage.used_bytes, 2 * EICAR.length);
  });

  test('is so in its version alone: a clean one is read, and the other does not come back', async () => {
    const office = await newOffice(app);
    const { id, version_id } = (await office.store('plan.txt', EICAR)).body.file;
    const clean = await office.store('plan.txt', 'clean');
    assert.deepEqual([clean.status, clean.body.file.scan], [200, 'clean']);
    assert.equal((await office.get(`/cloud/files/${id}/content`)).text, 'clean');
    assert.deepEqual(await scansOfVersions(office, id), [
      [2, 'clean'],
      [1, 'quarantined'],
    ]);
    const path = `/cloud/files/${id}/versions/${version_id}`;
    for (const refused of [await office.get(`${path}/content`), await office.post(`${path}/restore`)]) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'quarantined']);
    }
    assert.equal((await office.delete(path)).status, 200);
    assert.equal(await scanOf(office, id), 'clean');
  });

  test('is copied as what it is, trashed and purged like any other', async () => {
    const office = await newOffice(app);
    const { id } = (await office.store('a.txt', EICAR)).body.file;
    const copy = await office.post(`/cloud/files/${id}/copy`, { folder_id: null, name: 'b.txt' });
    assert.deepEqual([copy.status, copy.body.file.scan], [201, 'quarantined']);
    const content = await office.get(`/cloud/files/${copy.body.file.id}/content`);
    assert.deepEqual([content.status, content.body.code], [409, 'quarantined']);
    assert.equal((await office.delete(`/cloud/files/${id}`)).status, 200);
    assert.equal((await office.delete(`/cloud/trash/${id}`)).status, 200);
  });

  test('is left out of archives, which say how many they left out', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('混在');
    await office.file('clean.txt', 'clean', folder.id);
    await office.store('virus.txt', EICAR, folder.id);
    const asked = await office.post(`/cloud/folders/${folder.id}/archive`);
    const { status, result } = await ended(office, asked.body.job.id);
    assert.deepEqual([status, result?.['files'], result?.['quarantined']], ['succeeded', 1, 1]);
  });
});

describe('content that is not scanned whole', () => {
  test('is taken as unscanned and read: for its size, and for what is in it', async () => {
    const office = await newOffice(app);
    const large = (await office.store('large.bin', Buffer.alloc(MIB + 1, 'a'))).body.file;
    const packed = gzipSync(Buffer.alloc(8 * MIB, 'a'));
    assert.ok(packed.length < MIB / 10);
    const bomb = (await office.store('packed.gz', packed)).body.file;
    assert.deepEqual([large.scan, bomb.scan], ['unscanned', 'unscanned']);
    assert.equal((await office.get(`/cloud/files/${bomb.id}/content`)).status, 200);
    const most = (await office.store('most.bin', Buffer.alloc(MIB, 'a'))).body.file;
    assert.equal(most.scan, 'clean');
  });

  test('is so too where the scanner comes later', async () => {
    await scanner.stop();
    const office = await newOffice(app);
    const { id, scan } = (await office.store('packed.gz', gzipSync(Buffer.alloc(8 * MIB, 'b')))).body.file;
    assert.equal(scan, 'pending');
    await scanner.start();
    await scanPending();
    assert.equal(await scanOf(office, id), 'unscanned');
  });
});

describe('while the scanner is away', () => {
  test('content is pending and read; it, its copies and its version are what comes of them', async () => {
    await scanner.stop();
    const office = await newOffice(app);
    const clean = (await office.store('clean.txt', 'clean')).body.file;
    const virus = (await office.store('virus.txt', EICAR)).body.file;
    const copy = (await office.post(`/cloud/files/${virus.id}/copy`, { folder_id: null, name: 'copy.txt' }))
      .body.file;
    assert.deepEqual([clean.scan, virus.scan, copy.scan], ['pending', 'pending', 'pending']);
    assert.equal((await office.get(`/cloud/files/${clean.id}/content`)).text, 'clean');
    await office.store('virus.txt', 'healed');
    await assert.rejects(scanPending());
    assert.equal(await scanOf(office, clean.id), 'pending');
    await scanner.start();
    assert.equal(await scanPending(), 3);
    assert.deepEqual(
      [await scanOf(office, clean.id), await scanOf(office, virus.id), await scanOf(office, copy.id)],
      ['clean', 'clean', 'quarantined'],
    );
    assert.deepEqual(await scansOfVersions(office, virus.id), [
      [2, 'clean'],
      [1, 'quarantined'],
    ]);
    const { status, body } = await office.get(`/cloud/files/${copy.id}/content`);
    assert.deepEqual([status, body.code], [409, 'quarantined']);
  });

  test('an upload that it was reading when it was killed is taken, and scanned when it is back', async () => {
    const office = await newOffice(app);
    const content = Buffer.concat([Buffer.alloc(MIB / 2, 'a'), Buffer.alloc(MIB / 4, 'b')]);
    const url = new URL(`${app.base_url}/api/v1/cloud/folders/root/files/halved.bin`);
    const headers = { Authorization: `Bearer ${office.actor.secret}`, 'Content-Length': content.length };
    const sending = request(url, { method: 'PUT', headers });
    const answered = new Promise<number>((resolve, reject) => {
      sending.on('response', (reply) => resolve(reply.resume().statusCode!)).on('error', reject);
    });
    sending.write(content.subarray(0, MIB / 2));
    await until('bytes arrive', async () => {
      const { usage } = (await office.get('/cloud/usage')).body;
      return usage.reserved_bytes === content.length;
    });
    await scanner.stop();
    sending.end(content.subarray(MIB / 2));
    assert.equal(await answered, 201);
    const [file] = (await office.get('/cloud/files')).body.items;
    assert.equal(file.scan, 'pending');
    await scanner.start();
    assert.equal(await scanPending(), 1);
    assert.equal(await scanOf(office, file.id), 'clean');
  });
});

test('what was stored before there was a scanner is off until all files are verified', async () => {
  const database = { database: app.database, url: app.database_url, drop: async () => undefined };
  const dataDir = app.context.settings.dataDir;
  const before = await startApp({ database, environment: { DATA_DIR: dataDir } });
  const [early, office] = [await newOffice(before), await newOffice(app)];
  const { id } = (await early.store('early.txt', EICAR)).body.file;
  const other = (await office.store('other.txt', 'clean')).body.file;
  assert.equal(await scanOf(early, id), 'off');
  await scanPending();
  assert.equal(await scanOf(early, id), 'off');
  const job = await ended(early, (await early.post('/cloud/verify')).body.job.id);
  assert.deepEqual(job.result, { checked: 1, bad_count: 0, bad: [] });
  assert.equal(await scanOf(early, id), 'pending');
  assert.equal(await scanPending(), 1);
  assert.equal(await scanOf(early, id), 'quarantined');
  assert.equal(await scanOf(office, other.id), 'clean');
});
