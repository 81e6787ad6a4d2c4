import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { purgeTrash } from '../../../shared/cloud/trash/purge.ts';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';

const DAY = 24 * 60 * 60_000;
let now = new Date('2026-11-21T00:00:00.000Z');
const app = await startApp({ now: () => now });

const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();

async function withFile(): Promise<{ owner: Office; file_id: string }> {
  const owner = await newOffice(app);
  return { owner, file_id: (await owner.file('契約書.txt', '業務委託')).id };
}

/** An owner with a restricted folder, its file, and a member with that permission there. */
async function restricted(role: 'viewer' | 'editor' | null) {
  const owner = await newOffice(app);
  const member = await owner.colleague();
  const folder = await owner.folder('人事');
  const file = await owner.file('給与.txt', '給与', folder.id);
  const grants = role === null ? [] : [{ type: 'user', id: member.user_id, role }];
  await owner.put(`/cloud/folders/${folder.id}/access`, { mode: 'restricted', grants });
  return { owner, member, folder, file };
}

describe('a new share', () => {
  test('201: is answered with its address once, of which the database has a hash alone', async () => {
    const { owner, file_id } = await withFile();
    const { status, body, headers } = await owner.post('/cloud/shares', {
      file_id,
      password: 'quiet-river-42',
      starts_at: '2026-11-21T09:00:00+09:00',
      expires_at: at(DAY),
      max_downloads: 10,
    });
    assert.equal(status, 201);
    assert.deepEqual(body.share, {
      id: body.share.id,
      object: 'cloud.share',
      resource: { type: 'file', id: file_id },
      has_password: true,
      starts_at: at(0),
      expires_at: at(DAY),
      max_downloads: 10,
      download_count: 0,
      last_download_at: null,
      revoked_at: null,
      created_by: owner.user_id,
      created_at: at(0),
      updated_at: at(0),
    });
    assert.equal(headers.get('location'), `/api/v1/cloud/shares/${body.share.id}`);
    const [, token = ''] = /^http:\/\/127\.0\.0\.1:\d+\/s\/([0-9a-f]{64})\/$/.exec(body.url) ?? [];
    assert.notEqual(token, '', body.url);
    const kept = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query(
        `SELECT to_jsonb(share)::text || to_jsonb(link)::text AS text FROM cloud_shares AS share
           JOIN links AS link ON link.record_id = share.id WHERE share.id = $1`,
        [body.share.id],
      ),
    );
    assert.equal(kept.length, 1);
    assert.ok(!JSON.stringify(kept).includes(token) && !JSON.stringify(kept).includes('quiet-river-42'));
    const read = await owner.get(`/cloud/shares/${body.share.id}`);
    assert.deepEqual(read.body, { share: body.share });
  });

  test('201: a folder, with the bound of the settings where no end is sent', async () => {
    const owner = await newOffice(app);
    const folder = await owner.folder('公開');
    await owner.patch('/cloud/settings', { share_max_days: 7 });
    const share = async (expires_at?: string | null) =>
      owner.post('/cloud/shares', { folder_id: folder.id, ...(expires_at !== undefined && { expires_at }) });
    for (const sent of [undefined, null, at(7 * DAY)]) {
      const { status, body } = await share(sent);
      assert.deepEqual([status, body.share.expires_at], [201, at(7 * DAY)]);
    }
    const beyond = await share(at(7 * DAY + 1));
    assert.deepEqual([beyond.status, beyond.body.errors[0].path], [422, '/expires_at'], beyond.text);
  });

  test('422: without a password where one is required', async () => {
    const { owner, file_id } = await withFile();
    await owner.patch('/cloud/settings', { share_password_required: true });
    for (const sent of [{}, { password: null }]) {
      const { status, body } = await owner.post('/cloud/shares', { file_id, ...sent });
      assert.deepEqual([status, body.errors[0].path], [422, '/password']);
    }
    const { status, body } = await owner.post('/cloud/shares', { file_id, password: 'quiet-river-42' });
    assert.equal(status, 201);
    const patched = await owner.patch(`/cloud/shares/${body.share.id}`, { password: null });
    assert.deepEqual([patched.status, patched.body.errors[0].path], [422, '/password']);
  });

  test('422: with nothing to share, with two things, and with terms that cannot be', async () => {
    const { owner, file_id } = await withFile();
    const folder_id = (await owner.folder('公開')).id;
    for (const [sent, path] of [
      [{}, '/file_id'],
      [{ file_id, folder_id }, '/folder_id'],
      [{ folder_id: null }, '/folder_id'],
      [{ file_id, expires_at: at(0) }, '/expires_at'],
      [{ file_id, starts_at: at(DAY), expires_at: at(DAY) }, '/expires_at'],
      [{ file_id, max_downloads: 0 }, '/max_downloads'],
      [{ file_id, password: 'abc' }, '/password'],
      [{ file_id, password: 'パスワード' }, '/password'],
      [{ file_id, password: 'two words' }, '/password'],
    ] as const) {
      const { status, body } = await owner.post('/cloud/shares', sent);
      const paths = body.errors.map((fault: { path: string }) => fault.path);
      assert.deepEqual([status, paths.includes(path)], [422, true], JSON.stringify([sent, body]));
    }
  });

  test('422: of what is unknown, unseen, in the trash or of others', async () => {
    const { owner, file_id } = await withFile();
    const other = await withFile();
    const { member, folder, file } = await restricted(null);
    const trashed = await owner.folder('古い');
    await owner.delete(`/cloud/folders/${trashed.id}`);
    for (const [office, sent] of [
      [owner, { file_id: other.file_id }],
      [owner, { folder_id: trashed.id }],
      [other.owner, { file_id }],
      [member, { file_id: file.id }],
      [member, { folder_id: folder.id }],
    ] as const) {
      const { status, body } = await office.post('/cloud/shares', sent);
      assert.deepEqual([status, body.code], [422, 'unknown_reference'], JSON.stringify(body));
      assert.equal(body.errors[0].path, `/${Object.keys(sent)[0]}`);
    }
  });

  test('403: of what the caller may only look at; 409 where there are no shares', async () => {
    const { owner, member, folder, file } = await restricted('viewer');
    for (const sent of [{ file_id: file.id }, { folder_id: folder.id }]) {
      const { status, body } = await member.post('/cloud/shares', sent);
      assert.deepEqual([status, body.code], [403, 'folder_permission']);
    }
    await owner.patch('/cloud/settings', { shares_enabled: false });
    const { status, body } = await owner.post('/cloud/shares', { file_id: file.id });
    assert.deepEqual([status, body.code], [409, 'shares_disabled']);
  });

  test('a repeated request makes one share, and its address is not kept', async () => {
    const { owner, file_id } = await withFile();
    const send = () => owner.post('/cloud/shares', { file_id }, { 'Idempotency-Key': 'once' });
    const [first, second] = [await send(), await send()];
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(second.body, { share: first.body.share, url: null });
    assert.equal((await owner.get('/cloud/shares')).body.total, 1);
  });
});

describe('the list of shares', () => {
  test('has those of what one sees, of a file or a folder, and none of the trash', async () => {
    const { owner, member, folder, file } = await restricted(null);
    const open = await owner.folder('公開');
    const shareOf = async (sent: object) => (await owner.post('/cloud/shares', sent)).body.share.id;
    const [ofFile, ofFolder, ofOpen] = [
      await shareOf({ file_id: file.id }),
      await shareOf({ folder_id: folder.id }),
      await shareOf({ folder_id: open.id }),
    ];
    const ids = async (office: Office, query = '') => {
      const { body } = await office.get(`/cloud/shares${query}`);
      assert.equal(body.total, body.items.length);
      return body.items.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await ids(owner), [ofOpen, ofFolder, ofFile]);
    assert.deepEqual(await ids(owner, `?file_id=${file.id}`), [ofFile]);
    assert.deepEqual(await ids(owner, `?folder_id=${folder.id}`), [ofFolder]);
    assert.deepEqual(await ids(owner, '?sort=updated_at:asc'), [ofFile, ofFolder, ofOpen]);
    assert.deepEqual(await ids(member), [ofOpen]);
    for (const id of [ofFile, ofFolder]) assert.equal((await member.get(`/cloud/shares/${id}`)).status, 404);
    await owner.delete(`/cloud/folders/${folder.id}`);
    assert.deepEqual(await ids(owner), [ofOpen]);
    assert.equal((await owner.patch(`/cloud/shares/${ofFile}`, { max_downloads: 1 })).status, 404);
    await owner.post(`/cloud/trash/${folder.id}/restore`, {});
    assert.deepEqual(await ids(owner), [ofOpen, ofFolder, ofFile]);
  });
});

describe('a change of a share', () => {
  test('200: of the terms that are sent, each recorded once', async () => {
    const { owner, file_id } = await withFile();
    const { body } = await owner.post('/cloud/shares', { file_id, max_downloads: 3 });
    const path = `/cloud/shares/${body.share.id}`;
    now = new Date(now.getTime() + 1000);
    const same = await owner.patch(path, { max_downloads: 3 });
    assert.deepEqual(same.body, { share: body.share });
    const changed = await owner.patch(path, { password: 'quiet-river-42', expires_at: at(DAY) });
    assert.deepEqual(changed.body.share, {
      ...body.share,
      has_password: true,
      expires_at: at(DAY),
      updated_at: at(0),
    });
    await owner.patch(path, { password: 'another-river' });
    const opened = await owner.patch(path, { password: null, expires_at: null, max_downloads: null });
    assert.deepEqual(
      [opened.body.share.has_password, opened.body.share.expires_at, opened.body.share.max_downloads],
      [false, null, null],
    );
    const { items } = (await owner.get(`/cloud/audit-logs?entity_id=${body.share.id}`)).body;
    assert.deepEqual(
      items.map(({ action, changes }: { action: string; changes: object }) => [
        action,
        Object.keys(changes).sort(),
      ]),
      [
        ['update', ['expires_at', 'has_password', 'max_downloads']],
        ['update', []],
        ['update', ['expires_at', 'has_password']],
        ['create', Object.keys(items.at(-1).changes).sort()],
      ],
    );
    assert.ok(!JSON.stringify(items).includes('river'));
  });

  test('412: with a revision that is not the present one', async () => {
    const { owner, file_id } = await withFile();
    const { body } = await owner.post('/cloud/shares', { file_id });
    const path = `/cloud/shares/${body.share.id}`;
    const { headers } = await owner.get(path);
    now = new Date(now.getTime() + 1000);
    await owner.patch(path, { max_downloads: 3 });
    const If_Match = { 'If-Match': headers.get('etag')! };
    assert.equal((await owner.patch(path, { max_downloads: 4 }, If_Match)).status, 412);
    assert.equal((await owner.delete(path, If_Match)).status, 412);
  });

  test('403: by who may only look at what is shared', async () => {
    const { owner, member, file } = await restricted('viewer');
    const { body } = await owner.post('/cloud/shares', { file_id: file.id });
    const path = `/cloud/shares/${body.share.id}`;
    assert.equal((await member.get(path)).status, 200);
    assert.equal((await member.patch(path, { max_downloads: 1 })).body.code, 'folder_permission');
    assert.equal((await member.delete(path)).body.code, 'folder_permission');
  });

  test('of something in the trash is to take it back: what is restored is not shared then', async () => {
    const { owner, member, folder, file } = await restricted('viewer');
    const stranger = await owner.colleague();
    const ids: string[] = [];
    for (const sent of [{ file_id: file.id }, { folder_id: folder.id }]) {
      ids.push((await owner.post('/cloud/shares', sent)).body.share.id);
    }
    await owner.delete(`/cloud/folders/${folder.id}`);
    for (const id of ids) {
      const path = `/cloud/shares/${id}`;
      const calls = [owner.get(path), stranger.get(path), stranger.delete(path), member.delete(path)];
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      assert.deepEqual(statuses, [200, 404, 404, 403]);
      assert.equal((await owner.delete(path)).status, 200);
      assert.equal((await owner.delete(path)).status, 404);
    }
    await owner.post(`/cloud/trash/${folder.id}/restore`, {});
    for (const id of ids) assert.equal((await owner.get(`/cloud/shares/${id}`)).body.share.revoked_at, at(0));
    await owner.delete(`/cloud/folders/${folder.id}`);
    await owner.delete(`/cloud/trash/${folder.id}`);
    await purgeTrash(app.database, new Date(), new AbortController().signal);
    for (const id of ids) assert.equal((await owner.get(`/cloud/shares/${id}`)).status, 404);
  });

  test('one that was taken back stays so: 404 for a second time, and for a change', async () => {
    const { owner, file_id } = await withFile();
    const { body } = await owner.post('/cloud/shares', { file_id });
    const path = `/cloud/shares/${body.share.id}`;
    const replies = await Promise.all([1, 2, 3].map(() => owner.delete(path)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404, 404]);
    assert.equal((await owner.patch(path, { max_downloads: 1 })).status, 404);
    assert.equal((await owner.get(path)).body.share.revoked_at, at(0));
  });
});
