import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { contentsBelow } from '../../../shared/cloud/archive/operations.ts';
import { pruneVersions } from '../../../shared/cloud/files/prune.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { ended } from '../../support/exports.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'report-export']);

const DAY = 24 * 60 * 60_000;
const later = (days: number) => new Date(Date.now() + days * DAY);
const signal = new AbortController().signal;

/** The zip that a job has made, unpacked; answers the paths in it. */
async function unpacked(office: Office, job_id: string): Promise<{ folder: string; paths: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const response = await fetch(`${app.base_url}/api/v1/jobs/${job_id}/file`, {
    headers: { Authorization: `Bearer ${office.actor.secret}` },
  });
  const zip = join(folder, 'archive.zip');
  writeFileSync(zip, Buffer.from(await response.arrayBuffer()));
  // unzip takes the names for UTF-8 in a locale that has it alone.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  execFileSync('unzip', ['-tq', zip], { env });
  execFileSync('unzip', ['-q', zip, '-d', join(folder, 'out')], { env });
  const listed = execFileSync('unzip', ['-Z1', zip], { encoding: 'utf8', env });
  return { folder: join(folder, 'out'), paths: listed.trim().split('\n') };
}

describe('an archive of a folder', () => {
  test('has what who asked sees, byte by byte', async () => {
    const owner = await newOffice(app);
    const member = await owner.colleague();
    const folder = await owner.folder('契約書');
    const below = await owner.folder('締結済み', folder.id);
    const secret = await owner.folder('役員', folder.id);
    await owner.folder('空', folder.id);
    await owner.file('a.txt', 'abc', folder.id);
    await owner.file('A: 1.txt', 'drive', folder.id);
    await owner.file('見積書.txt', '見積', below.id);
    await owner.file('給与.txt', '給与', secret.id);
    await owner.put(`/cloud/folders/${secret.id}/access`, { mode: 'restricted' });
    const asked = await member.post(`/cloud/folders/${folder.id}/archive`);
    assert.equal(asked.status, 202, asked.text);
    const job = await ended(member, asked.body.job.id);
    assert.deepEqual([job.status, job.result?.['files']], ['succeeded', 3], JSON.stringify(job));
    const zip = await unpacked(member, job.id);
    // A path that begins as a drive of Windows would be an absolute one.
    const paths = ['./A: 1.txt', 'a.txt', '空/', '締結済み/', '締結済み/見積書.txt'];
    assert.deepEqual(zip.paths.sort(), paths.sort());
    assert.equal(readFileSync(join(zip.folder, 'A: 1.txt'), 'utf8'), 'drive');
    assert.equal(readFileSync(join(zip.folder, '締結済み/見積書.txt'), 'utf8'), '見積');
    assert.equal((await (await owner.colleague()).get(`/jobs/${job.id}/file`)).status, 404);
  });
});

describe('what is read for an archive', () => {
  test('is bounded, and says where it is not all', async () => {
    const owner = await newOffice(app);
    const { id } = await owner.folder('folder');
    for (const name of ['a', 'b', 'c']) await owner.file(name, name, id);
    const { organization_id } = owner;
    // The folder, and three paths of eight bytes.
    for (const [items, path_bytes, count, is_whole] of [
      [4, 30, 4, true],
      [3, 30, 0, false],
      [4, 29, 0, false],
    ] as const) {
      const contents = await app.database.withConnection(organization_id, (connection) =>
        contentsBelow(
          {
            connection,
            organization_id,
            actor: systemActor,
            now: new Date(),
            request_id: null,
            ip_address: null,
          },
          null,
          { items, path_bytes },
        ),
      );
      assert.deepEqual([contents.items.length, contents.is_whole], [count, is_whole]);
    }
  });
});

describe('the verification of files', () => {
  test('names versions whose bytes are gone or others', async () => {
    const owner = await newOffice(app);
    const [good, changed, gone] = [
      await owner.file('good'),
      await owner.file('changed'),
      await owner.file('gone'),
    ];
    for (const [file, act] of [
      [changed, (path: string) => writeFileSync(path, 'chanGed')],
      [gone, (path: string) => execFileSync('rm', [path])],
    ] as const) {
      const [row] = await app.database.withConnection(owner.organization_id, ({ query }) =>
        query<{ storage_key: string }>('SELECT storage_key FROM cloud_items WHERE id = $1', [file.id]),
      );
      const found = execFileSync('find', [dataDir, '-type', 'f', '-path', `*${row!.storage_key}*`], {
        encoding: 'utf8',
      });
      act(found.trim());
    }
    const member = await owner.colleague();
    assert.equal((await member.post('/cloud/verify')).status, 403);
    const job = await ended(owner, (await owner.post('/cloud/verify')).body.job.id);
    assert.deepEqual(job.result, {
      checked: 3,
      bad_count: 2,
      bad: [
        { version_id: changed.version_id, file_id: changed.id, reason: 'file_changed' },
        { version_id: gone.version_id, file_id: gone.id, reason: 'file_missing' },
      ],
    });
    assert.ok(good.version_id);
  });
});

describe('old versions', () => {
  test('are pruned beyond the number and the days that are kept, but for kept and held ones', async () => {
    const office = await newOffice(app);
    await office.patch('/cloud/settings', { version_days: 10, version_count: 2 });
    const { id } = await office.file('a', '1');
    for (const content of ['2', '3', '4', '5']) await office.store('a', content);
    const held = await office.folder('held');
    const inside = await office.file('b', '1', held.id);
    for (const content of ['2', '3', '4']) await office.store('b', content, held.id);
    await office.patch(`/cloud/folders/${held.id}`, { retention_until: '2999-12-31' });
    const numbers = async (file_id: string) =>
      (await office.get(`/cloud/files/${file_id}/versions`)).body.items.map(
        ({ number }: { number: number }) => number,
      );
    const first = (await office.get(`/cloud/files/${id}/versions?sort=created_at:asc`)).body.items[0];
    await office.patch(`/cloud/files/${id}/versions/${first.id}`, { keep: true });
    await pruneVersions(app.database, later(9), signal);
    assert.deepEqual(await numbers(id), [5, 4, 3, 2, 1]);
    await pruneVersions(app.database, later(11), signal);
    assert.deepEqual(await numbers(id), [5, 4, 1]);
    assert.deepEqual(await numbers(inside.id), [4, 3, 2, 1]);
    assert.equal((await office.get('/cloud/usage')).body.usage.used_bytes, 7);
    await pruneVersions(app.database, later(11), signal);
    assert.deepEqual(await numbers(id), [5, 4, 1]);
  });
});
