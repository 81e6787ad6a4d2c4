import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Office } from '../../support/cloud.ts';
import {
  guestOf,
  pathsIn,
  type Shared,
  scanned,
  sha256,
  sharedFile,
  sharedFolder,
  TEXT,
} from '../../support/shares.ts';

const app = await startApp();
const { read, content, head } = guestOf(app);

describe('downloads', () => {
  const counted = async (owner: Office, { id }: Shared) =>
    (await owner.get(`/cloud/shares/${id}`)).body.share;

  test('of 50 at once on 10 ten are answered, and the share is used up', async () => {
    const { owner, shared } = await sharedFile(app, { max_downloads: 10 });
    const replies = await Promise.all(Array.from({ length: 50 }, () => content(shared)));
    const counts = Object.groupBy(replies, ({ status }) => status);
    assert.deepEqual([counts[200]?.length, counts[410]?.length], [10, 40]);
    for (const { text } of counts[200]!) assert.equal(text, TEXT);
    for (const { body } of counts[410]!) assert.equal(body.code, 'share_ended');
    assert.equal((await counted(owner, shared)).download_count, 10);
    assert.equal((await read(shared)).body.code, 'share_ended');
    await owner.patch(`/cloud/shares/${shared.id}`, { max_downloads: 11 });
    assert.equal((await content(shared)).status, 200);
    assert.equal((await content(shared)).status, 410);
  });

  test('count with their bytes: no HEAD, no 304 or 412, and ranges are ignored where they are bounded', async () => {
    const { owner, shared } = await sharedFile(app, { max_downloads: 2 });
    const etag = `"sha256:${sha256(TEXT)}"`;
    await head(shared);
    assert.equal((await content(shared, '', { 'If-None-Match': etag })).status, 304);
    assert.equal((await content(shared, '', { 'If-Match': '"other"' })).status, 412);
    await read(shared);
    assert.equal((await counted(owner, shared)).download_count, 0);
    const part = await content(shared, '', { Range: 'bytes=0-9' });
    assert.deepEqual([part.status, part.text, part.headers.get('accept-ranges')], [200, TEXT, 'none']);
    const { download_count, last_download_at, updated_at, created_at } = await counted(owner, shared);
    assert.deepEqual([download_count, updated_at], [1, created_at]);
    assert.ok(last_download_at >= created_at);
  });

  test('do not count where the bytes are gone', async () => {
    const { owner, file, shared } = await sharedFile(app, { max_downloads: 1 });
    const [row] = await app.database.withConnection(owner.organization_id, ({ query }) =>
      query<{ storage_key: string }>('SELECT storage_key FROM cloud_items WHERE id = $1', [file.id]),
    );
    await app.context.storage.remove(row!.storage_key);
    assert.ok((await content(shared)).status >= 500);
    assert.equal((await counted(owner, shared)).download_count, 0);
  });

  test('stand in the audit log, each with its file, as those of a guest', async () => {
    const { owner, a, shared } = await sharedFolder(app);
    await content(shared, '/a.txt');
    await content(shared, '/a.txt', { Range: 'bytes=1-' });
    const { items } = (await owner.get(`/cloud/audit-logs?entity_type=download&entity_id=${a.id}`)).body;
    assert.equal(items.length, 2);
    const [{ actor, action, changes, ip_address }] = items;
    assert.deepEqual([actor, action], [{ type: 'guest', id: shared.id }, 'create']);
    assert.deepEqual(
      [changes.share_id, changes.sha256],
      [
        [null, shared.id],
        [null, sha256('abc')],
      ],
    );
    assert.match(ip_address, /127\.0\.0\.1/);
    assert.equal((await owner.get(`/cloud/audit-logs?actor_id=${shared.id}`)).body.total, 2);
  });
});

describe('what was not scanned, or not well', () => {
  for (const [scan, code] of [
    ['pending', 'not_scanned'],
    ['unscanned', 'not_scanned'],
    ['quarantined', 'quarantined'],
  ] as const) {
    test(`409 ${code}: ${scan}, shared by itself; left out of a folder`, async () => {
      const { owner, file, shared } = await sharedFile(app);
      const inFolder = await sharedFolder(app);
      await scanned(app, owner, file.sha256, scan);
      await scanned(app, inFolder.owner, inFolder.a.sha256, scan);
      for (const reply of [await read(shared), await content(shared)]) {
        assert.deepEqual([reply.status, reply.body.code], [409, code]);
      }
      assert.deepEqual(pathsIn(await read(inFolder.shared)), ['2026年度', 'empty']);
      const reply = await content(inFolder.shared, '/a.txt');
      assert.equal(reply.body.code, scan === 'quarantined' ? 'quarantined' : 'not_found');
      for (const { owner: each } of [{ owner }, inFolder]) {
        await each.patch('/cloud/settings', { share_unscanned: true });
      }
      assert.equal((await content(shared)).status, scan === 'unscanned' ? 200 : 409);
      assert.equal(pathsIn(await read(inFolder.shared)).length, scan === 'unscanned' ? 3 : 2);
    });
  }
});
