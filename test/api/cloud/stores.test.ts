import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { removeLooseFiles } from '../../../shared/platform/storage/loose-files.ts';
import { archiveFolder } from '../../../workers/cloud/archive-folder.ts';
import { verifyFiles } from '../../../workers/cloud/verify-files.ts';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { takeJob } from '../../support/deliveries.ts';
import { bothStores } from '../../support/stores.ts';
import { formWith } from '../../support/uploads.ts';

const MiB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'judged-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// The service runs in this process, so it is not stopped while others ask it.
const run = promisify(execFile);
const told = async (program: string, words: string[]) => (await run(program, words)).stdout;
const sha256sum = async (path: string) => (await told('sha256sum', [path])).split(' ')[0];

/** What other programs say of files that go up and come down, on each kind of store. */
for (const { name, storage, left } of await bothStores()) {
  describe(`files in ${name}`, async () => {
    const app = await startApp({ storage });
    const office = await newOffice(app);
    const sweep = () => removeLooseFiles(app.context, new Date(), new AbortController().signal);
    const root = `${app.base_url}/api/v1/cloud`;
    const path = (file: string) => join(folder, `${name.replaceAll(' ', '-')}-${file}`);
    const curl = (...words: string[]) =>
      told('curl', ['-sS', '-H', `Authorization: Bearer ${office.actor.secret}`, ...words]);

    test('go up by curl -T and are what sha256sum and file say', async () => {
      // More than a part, and no whole number of them.
      writeFileSync(path('scan.png'), Buffer.concat([PNG, randomBytes(9 * MiB + 7)]));
      const url = `${root}/folders/root/files/scan.pdf`;
      const { file } = JSON.parse(await curl('-T', path('scan.png'), url));
      assert.equal(file.sha256, await sha256sum(path('scan.png')));
      assert.equal(
        file.content_type,
        (await told('file', ['--brief', '--mime-type', path('scan.png')])).trim(),
      );
      const again = JSON.parse(await curl('-T', path('scan.png'), url));
      assert.equal(again.file.version_id, file.version_id);
      const headers = await curl('-I', `${root}/files/${file.id}/content`);
      assert.match(headers, /^HTTP\/1.1 200 OK/);
      assert.match(headers, new RegExp(`\\r\\nContent-Length: ${file.size_bytes}\\r\\n`, 'i'));
      assert.match(headers, new RegExp(`\\r\\nETag: "sha256:${file.sha256}"\\r\\n`, 'i'));
    });

    test('come down whole, in ranges, and from where a line broke', async () => {
      const bytes = randomBytes(9 * MiB);
      const { id, sha256 } = await office.file('large.bin', bytes);
      const url = `${root}/files/${id}/content`;
      await curl('-o', path('down'), url);
      assert.equal(await sha256sum(path('down')), sha256);
      for (const [range, start, end] of [
        ['0-99', 0, 100],
        ['8388600-8388700', 8_388_600, 8_388_701],
        ['-100', 9 * MiB - 100, 9 * MiB],
      ] as const) {
        const status = await curl('-r', range, '-o', path('part'), '-w', '%{http_code}', url);
        assert.equal(status, '206');
        assert.deepEqual(readFileSync(path('part')), bytes.subarray(start, end), range);
      }
      truncateSync(path('down'), 5 * MiB + 3);
      assert.equal(await curl('-C', '-', '-o', path('down'), '-w', '%{http_code}', url), '206');
      assert.equal(await sha256sum(path('down')), sha256);
    });

    test('have versions and copies that share bytes until the last of them goes', async () => {
      const file = await office.file('shared.txt', 'shared');
      const copy = (await office.post(`/cloud/files/${file.id}/copy`, { folder_id: null, name: 'copy.txt' }))
        .body.file;
      await office.store('shared.txt', 'second');
      await sweep();
      const before = left().length;
      const versions = (await office.get(`/cloud/files/${file.id}/versions`)).body.items;
      await office.delete(`/cloud/files/${file.id}/versions/${versions[1].id}`);
      await sweep();
      assert.equal(left().length, before);
      assert.equal((await office.get(`/cloud/files/${copy.id}/content`)).text, 'shared');
      await office.store('copy.txt', 'other');
      const old = (await office.get(`/cloud/files/${copy.id}/versions`)).body.items[1];
      const with_other = left().length;
      await office.delete(`/cloud/files/${copy.id}/versions/${old.id}`);
      await sweep();
      assert.equal(left().length, with_other - 1);
    });

    test('have old versions that are read in parts, restored and deleted', async () => {
      const { id } = await office.file('plan.txt', 'the first plan');
      await office.store('plan.txt', 'the second plan');
      const [, first] = (await office.get(`/cloud/files/${id}/versions`)).body.items;
      const url = `${root}/files/${id}/versions/${first.id}/content`;
      assert.equal(await curl('-r', '4-8', url), 'first');
      const { body } = await office.post(`/cloud/files/${id}/versions/${first.id}/restore`);
      assert.deepEqual([body.file.version_number, body.file.sha256], [3, first.sha256]);
      assert.equal((await office.delete(`/cloud/files/${id}/versions/${first.id}`)).status, 200);
      await sweep();
      assert.equal(await curl(`${root}/files/${id}/content`), 'the first plan');
    });

    test('are all in an archive, byte by byte', async () => {
      const { id } = await office.folder('契約書');
      const large = randomBytes(9 * MiB + 1);
      await office.file('large.bin', large, id);
      await office.file('覚書.txt', '覚書', id);
      const { job } = (await office.post(`/cloud/folders/${id}/archive`)).body;
      const { payload, delivery } = await takeJob<never>(app, job.id);
      await archiveFolder({ storage })(payload, delivery);
      await curl('-o', path('zip'), `${app.base_url}/api/v1/jobs/${job.id}/file`);
      await told('unzip', ['-tq', path('zip')]);
      const unpacked = join(folder, name.replaceAll(' ', '-'));
      await run('unzip', ['-q', path('zip'), '-d', unpacked], { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
      assert.deepEqual(readFileSync(join(unpacked, 'large.bin')), large);
      assert.equal(readFileSync(join(unpacked, '覚書.txt'), 'utf8'), '覚書');
    });

    test('are verified, and named where their bytes are gone', async () => {
      const other = await newOffice(app);
      await other.file('kept');
      const gone = await other.file('gone');
      const [row] = await app.database.withConnection(other.organization_id, ({ query }) =>
        query<{ storage_key: string }>('SELECT storage_key FROM cloud_items WHERE id = $1', [gone.id]),
      );
      await storage.remove(row!.storage_key);
      const { job } = (await other.post('/cloud/verify')).body;
      const { payload, delivery } = await takeJob<{ job_id: string }>(app, job.id);
      await verifyFiles({ storage, scans: false })(payload, delivery);
      const { result } = (await other.get(`/jobs/${job.id}`)).body.job;
      assert.deepEqual(
        [result.checked, result.bad.map((bad: { file_id: string }) => bad.file_id)],
        [2, [gone.id]],
      );
    });

    test('leave nothing where another hash was announced', async () => {
      const before = left();
      for (const content of ['short', 'x'.repeat(9 * MiB)]) {
        const form = formWith(content, { name: 'refused', sha256: 'a'.repeat(64) });
        const { status, body } = await office.post('/cloud/files', form);
        assert.deepEqual([status, body.code], [422, 'checksum_mismatch']);
      }
      assert.deepEqual(left(), before);
    });

    test('are sent to the store itself where that has URLs', async () => {
      const { id } = await office.file('elsewhere.txt', 'elsewhere');
      const url = `${root}/files/${id}/content?redirect=true`;
      const status = await curl('-o', path('first'), '-w', '%{http_code}', url);
      assert.equal(status, name === 'an S3 store' ? '302' : '200');
      const { location } = Object.fromEntries(
        (await curl('-I', url))
          .split('\r\n')
          .map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      );
      const content = location ? await told('curl', ['-sS', location]) : readFileSync(path('first'), 'utf8');
      assert.equal(content, 'elsewhere');
    });
  });
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
