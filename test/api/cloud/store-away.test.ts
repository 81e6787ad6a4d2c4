import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { locked } from '../../support/locked-folder.ts';
import { startS3 } from '../../support/s3.ts';
import { formWith } from '../../support/uploads.ts';

const MIB = 1024 * 1024;

/** A folder on a disk of 8 MiB; null where only root can make one. */
function smallDisk(context: TestContext): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  context.after(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Puts bytes without saying how many come. */
async function putUnannounced(
  app: TestApp,
  office: Office,
  name: string,
  bytes: Buffer,
): Promise<Reply['body']> {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const reply = await fetch(`${app.base_url}/api/v1/cloud/folders/root/files/${name}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${office.actor.secret}` },
    body,
    duplex: 'half',
  } as RequestInit);
  return { status: reply.status, ...((await reply.json()) as object) };
}

const usageOf = async (office: Office) => {
  const { used_bytes, reserved_bytes, file_count } = (await office.get('/cloud/usage')).body.usage;
  return [used_bytes, reserved_bytes, file_count];
};

function assertUnavailable({ status, body, headers, text }: Reply): void {
  assert.deepEqual([status, body.code], [503, 'unavailable'], text);
  assert.ok(headers.get('retry-after'));
  assert.doesNotMatch(text, /ENOSPC|EACCES|small-disk|tmp/);
}

test('what does not fit on the disk is 503, and its room is given back', async (context) => {
  const folder = smallDisk(context);
  if (!folder) return context.skip('only root can make a disk that is soon full');
  const app = await startApp({ environment: { DATA_DIR: folder } });
  const office = await newOffice(app);
  const kept = await office.file('kept.bin', Buffer.alloc(3 * MIB, 'a'));
  const large = Buffer.alloc(6 * MIB, 'b');
  assertUnavailable(await office.store('large.bin', large));
  assertUnavailable(await office.post('/cloud/files', formWith(large, { name: 'large.bin' })));
  assertUnavailable(await office.send('PUT', `/cloud/files/${kept.id}/content`, large));
  const unannounced = await putUnannounced(app, office, 'large.bin', large);
  assert.deepEqual([unannounced.status, unannounced.code], [503, 'unavailable']);
  assert.deepEqual(await usageOf(office), [3 * MIB, 0, 1]);
  assert.deepEqual(await office.names(), ['kept.bin']);
  assert.equal((await office.get(`/cloud/files/${kept.id}`)).body.file.version_number, 1);
  // Nothing half stored is in the way of what fits.
  assert.equal((await office.store('fits.bin', Buffer.alloc(4 * MIB, 'c'))).status, 201);
  assert.deepEqual(await usageOf(office), [7 * MIB, 0, 2]);
});

test('while the files are of another account uploads and downloads are 503, and the room is given back', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-files-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const app = await startApp({ environment: { DATA_DIR: folder } });
  const office = await newOffice(app);
  const kept = await office.file('kept.bin', 'kept');
  await locked(join(folder, 'files'), async () => {
    assertUnavailable(await office.store('new.bin', 'new'));
    assertUnavailable(await office.post('/cloud/files', formWith('new', { name: 'new.bin' })));
    assertUnavailable(await office.get(`/cloud/files/${kept.id}/content`));
  });
  assert.deepEqual(await usageOf(office), [4, 0, 1]);
  assert.equal((await office.get(`/cloud/files/${kept.id}/content`)).status, 200);
});

test('while the store is away uploads and downloads are 503, and the room is given back', async () => {
  const s3 = await startS3();
  const app = await startApp({ environment: { STORAGE_URL: s3.url } });
  const office = await newOffice(app);
  const kept = await office.file('kept.bin', 'kept');
  await s3.stop();
  assertUnavailable(await office.store('new.bin', 'new'));
  assertUnavailable(await office.post('/cloud/files', formWith('new', { name: 'new.bin' })));
  assertUnavailable(await office.get(`/cloud/files/${kept.id}/content`));
  assert.deepEqual(await usageOf(office), [4, 0, 1]);
  const copy = await office.post(`/cloud/files/${kept.id}/copy`, { folder_id: null, name: 'copy.bin' });
  assert.equal(copy.status, 201, 'a copy needs no store');
  assert.equal((await office.delete(`/cloud/files/${kept.id}`)).status, 200);
});
