import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { type Shared, scanned, share } from '../../support/shares.ts';

const DAY = 24 * 60 * 60_000;
/** Milliseconds by which the clock goes ahead. */
let passed = 0;
const app = await startApp({ now: () => new Date(Date.now() + passed) });
const guest = app.anonymous;

const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const read = (shared: Shared, query = '', headers = {}) =>
  guest.get(`/cloud/s/${shared.token}${query}`, headers);
const content = (shared: Shared, path = '', headers = {}) =>
  guest.get(`/cloud/s/${shared.token}/content${path}`, headers);

const TEXT = '0123456789'.repeat(100);

async function sharedFile(terms: object = {}) {
  const owner = await newOffice(app);
  const file = await owner.file('見積書.txt', TEXT);
  return { owner, file, shared: await share(owner, { file_id: file.id, ...terms }) };
}

/** A folder below another one, with a file, an empty folder, a folder with a file, and a restricted one. */
async function sharedFolder(terms: object = {}) {
  const owner = await newOffice(app);
  const above = await owner.folder('社外秘');
  const folder = await owner.folder('公開', above.id);
  const inner = await owner.folder('2026年度', folder.id);
  await owner.folder('empty', folder.id);
  const hidden = await owner.folder('人事', folder.id);
  await owner.put(`/cloud/folders/${hidden.id}/access`, { mode: 'restricted' });
  const a = await owner.file('a.txt', 'abc', folder.id);
  const b = await owner.file('議事録.txt', '議事', inner.id);
  const secret = await owner.file('給与.txt', '給与', hidden.id);
  const shared = await share(owner, { folder_id: folder.id, ...terms });
  return { owner, above, folder, inner, hidden, a, b, secret, shared };
}

const names = (reply: { body: { share_view: { items: { path: string }[] } } }) =>
  reply.body.share_view.items.map(({ path }) => path);

describe('a shared file', () => {
  test('200: tells what it is, and nothing of who has it', async () => {
    const { shared } = await sharedFile();
    const reply = await read(shared);
    assert.deepEqual(
      [reply.status, reply.body],
      [
        200,
        {
          share_view: {
            object: 'cloud.share_view',
            name: '見積書.txt',
            type: 'file',
            size_bytes: 1000,
            sha256: sha256(TEXT),
            items: [],
            next: null,
          },
        },
      ],
    );
    assert.doesNotMatch(reply.text, /(file|fold|usr|org|shr)_/);
  });

  test('its content is given by the rules of HTTP', async () => {
    const { shared } = await sharedFile();
    const whole = await content(shared);
    assert.deepEqual([whole.status, whole.text], [200, TEXT]);
    const etag = `"sha256:${sha256(TEXT)}"`;
    for (const [name, value] of [
      ['etag', etag],
      ['content-length', '1000'],
      ['accept-ranges', 'bytes'],
      [
        'content-disposition',
        'attachment; filename="quotation.txt"; filename*=UTF-8\'\'%E8%A6%8B%E7%A9%8D%E6%9B%B8.txt',
      ],
      ['content-type', 'text/plain'],
      ['x-content-type-options', 'nosniff'],
      ['content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
      ['referrer-policy', 'no-referrer'],
      ['cache-control', 'no-store'],
    ] as const) {
      assert.equal(whole.headers.get(name), value, name);
    }
    for (const [headers, status, range] of [
      [{ Range: 'bytes=0-99' }, 206, 'bytes 0-99/1000'],
      [{ Range: 'bytes=-100' }, 206, 'bytes 900-999/1000'],
      [{ Range: 'bytes=1000-' }, 416, 'bytes */1000'],
      [{ Range: 'bytes=0-9', 'If-Range': etag }, 206, 'bytes 0-9/1000'],
      [{ Range: 'bytes=0-9', 'If-Range': '"other"' }, 200, null],
      [{ 'If-None-Match': etag }, 304, null],
      [{ 'If-Match': '"other"' }, 412, null],
    ] as const) {
      const reply = await content(shared, '', headers);
      assert.deepEqual([reply.status, reply.headers.get('content-range')], [status, range]);
    }
    const head = await guest.send('HEAD', `/cloud/s/${shared.token}/content`);
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '1000', '']);
    assert.equal((await content(shared, `/${encodeURIComponent('見積書.txt')}`)).text, TEXT);
    assert.equal((await content(shared, '/other.txt')).status, 404);
  });

  test('shows what it has become: a new version, another name', async () => {
    const { owner, file, shared } = await sharedFile();
    await owner.send('PUT', `/cloud/files/${file.id}/content`, 'new', { 'Content-Type': 'text/plain' });
    await owner.patch(`/cloud/files/${file.id}`, { name: 'new.txt' });
    const { share_view } = (await read(shared)).body;
    assert.deepEqual([share_view.name, share_view.sha256], ['new.txt', sha256('new')]);
    assert.equal((await content(shared)).text, 'new');
  });
});

describe('a shared folder', () => {
  test('200: shows what is below it now, without restricted folders', async () => {
    const { owner, folder, inner, shared } = await sharedFolder();
    const top = await read(shared);
    assert.deepEqual([top.body.share_view.name, top.body.share_view.sha256], ['公開', null]);
    assert.deepEqual(names(top), ['2026年度', 'empty', 'a.txt']);
    assert.doesNotMatch(top.text, /社外秘|(file|fold|usr|org|shr)_/);
    const below = await read(shared, `?path=${encodeURIComponent('2026年度')}`);
    assert.equal(below.body.share_view.name, '2026年度');
    assert.deepEqual(names(below), ['2026年度/議事録.txt']);
    assert.deepEqual(names(await read(shared, '?path=empty/')), []);
    await owner.file('b.txt', 'b', folder.id);
    await owner.delete(`/cloud/folders/${inner.id}`);
    assert.deepEqual(names(await read(shared)), ['empty', 'a.txt', 'b.txt']);
    assert.equal((await read(shared, `?path=${encodeURIComponent('2026年度')}`)).status, 404);
    const file = await read(shared, '?path=a.txt');
    assert.deepEqual([file.body.share_view.type, file.body.share_view.sha256], ['file', sha256('abc')]);
  });

  test('200: in parts, each item once, whatever goes meanwhile', async () => {
    const owner = await newOffice(app);
    const folder = await owner.folder('多数');
    const ids = new Map<string, string>();
    for (const name of ['x', 'y', 'z']) ids.set(name, (await owner.folder(name, folder.id)).id);
    for (let n = 0; n < 4; n++) ids.set(`${n}.txt`, (await owner.file(`${n}.txt`, `${n}`, folder.id)).id);
    const shared = await share(owner, { folder_id: folder.id });
    const seen: string[] = [];
    let after = '';
    do {
      const reply = await read(shared, `?limit=2${after && `&after=${encodeURIComponent(after)}`}`);
      assert.equal(reply.status, 200, reply.text);
      seen.push(...names(reply));
      after = reply.body.share_view.next ?? '';
      // What an answer ended with has gone when the next one is asked for.
      if (seen.at(-1) === '0.txt') await owner.delete(`/cloud/files/${ids.get('0.txt')}`);
    } while (after);
    assert.deepEqual(seen, [...ids.keys()]);
    for (const query of ['?after=x', '?limit=0', '?limit=1001', '?other=1']) {
      assert.equal((await read(shared, query)).status, 422, query);
    }
  });

  test('200: the content at a path; 404 for what is not there, not for guests, or no path', async () => {
    const { shared } = await sharedFolder();
    const inner = encodeURIComponent('2026年度');
    const file = encodeURIComponent('議事録.txt');
    assert.equal((await content(shared, `/${inner}/${file}`)).text, '議事');
    const composed = encodeURIComponent('議事録.txt'.normalize('NFD'));
    assert.equal((await content(shared, `/${inner}/${composed}`)).text, '議事');
    const head = await guest.send('HEAD', `/cloud/s/${shared.token}/content/a.txt`);
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '3']);
    for (const path of [
      '',
      '/missing.txt',
      '/A.TXT',
      '/empty',
      '/a.txt/',
      '/a.txt/b',
      '//a.txt',
      `/${encodeURIComponent('人事')}/${encodeURIComponent('給与.txt')}`,
      '/%2e%2e%2fa.txt',
      '/%2e%2e%2f%2e%2e%2fa.txt',
      `/empty/%2e%2e%2fa.txt`,
      '/%E3%81',
      '/a.txt%00',
      `/${'x/'.repeat(40)}a.txt`,
    ]) {
      const reply = await content(shared, path);
      assert.deepEqual([path, reply.status, reply.body?.code], [path, 404, 'not_found']);
    }
    assert.equal((await read(shared, `?path=${encodeURIComponent('人事')}`)).status, 404);
    assert.equal((await read(shared, '?path=../')).status, 404);
  });
});

describe('a share that has ended', () => {
  const ends: Record<string, (given: Awaited<ReturnType<typeof sharedFolder>>) => Promise<unknown>> = {
    'is taken back': ({ owner, shared }) => owner.delete(`/cloud/shares/${shared.id}`),
    'shows what is in the trash': ({ owner, folder }) => owner.delete(`/cloud/folders/${folder.id}`),
    'shows what lies below the trash': ({ owner, above }) => owner.delete(`/cloud/folders/${above.id}`),
    'shows what was purged': async ({ owner, folder }) => {
      await owner.delete(`/cloud/folders/${folder.id}`);
      await app.database.withConnection(owner.organization_id, ({ query }) =>
        query('DELETE FROM cloud_shares WHERE organization_id = $1', [owner.organization_id]),
      );
    },
    'is of an organization without shares': ({ owner }) =>
      owner.patch('/cloud/settings', { shares_enabled: false }),
  };
  for (const [what, end] of Object.entries(ends)) {
    test(`410: ${what}`, async () => {
      const given = await sharedFolder();
      const calls = () => [read(given.shared), content(given.shared, '/a.txt')];
      for (const reply of await Promise.all(calls())) assert.equal(reply.status, 200, reply.text);
      await end(given);
      for (const reply of await Promise.all(calls())) {
        assert.deepEqual([reply.status, reply.body.code], [410, 'share_ended']);
      }
      const head = await guest.send('HEAD', `/cloud/s/${given.shared.token}/content/a.txt`);
      assert.equal(head.status, 410);
    });
  }

  test('410: its time is over, and 403 before it begins', async () => {
    const { shared } = await sharedFile({ starts_at: later(DAY), expires_at: later(2 * DAY) });
    const early = await read(shared);
    assert.deepEqual([early.status, early.body.code], [403, 'share_not_started']);
    assert.match(early.body.starts_at, /^\d{4}-/);
    passed = DAY;
    assert.equal((await read(shared)).status, 200);
    passed = 2 * DAY;
    assert.equal((await read(shared)).body.code, 'share_ended');
    passed = 0;
  });

  test('410: who made it has left, has another role, or no right any more; it comes back with that', async () => {
    const owner = await newOffice(app);
    const member = await owner.colleague();
    const folder = await owner.folder('公開');
    await owner.file('a.txt', 'abc', folder.id);
    const shared = await share(member, { folder_id: folder.id });
    const access = (role: string) =>
      owner.put(`/cloud/folders/${folder.id}/access`, {
        mode: 'restricted',
        grants: [{ type: 'user', id: member.user_id, role }],
      });
    await access('viewer');
    assert.equal((await read(shared)).body.code, 'share_ended');
    await access('editor');
    assert.equal((await content(shared, '/a.txt')).status, 200);
    const leave = (left_at: string | null) =>
      app.database.withConnection(owner.organization_id, ({ query }) =>
        query('UPDATE members SET left_at = $3 WHERE organization_id = $1 AND user_id = $2', [
          owner.organization_id,
          member.user_id,
          left_at,
        ]),
      );
    await leave(later(0));
    assert.equal((await read(shared)).body.code, 'share_ended');
    assert.equal((await content(shared, '/a.txt')).body.code, 'share_ended');
  });

  test('404: there never was one', async () => {
    for (const token of ['0'.repeat(64), 'x', 'A'.repeat(43)]) {
      assert.equal((await guest.get(`/cloud/s/${token}`)).body.code, 'not_found');
      assert.equal((await guest.get(`/cloud/s/${token}/content`)).body.code, 'not_found');
    }
  });
});

describe('the password of a share', () => {
  const password = 'quiet-river-42';
  const sent = (text: string) => ({ 'Share-Password': text });

  test('403 without it and with another one, 200 with it', async () => {
    const { shared } = await sharedFile({ password });
    for (const headers of [{}, sent('another-river')]) {
      for (const reply of [await read(shared, '', headers), await content(shared, '', headers)]) {
        assert.deepEqual([reply.status, reply.body.code], [403, 'share_password']);
      }
    }
    assert.equal((await read(shared, '', sent(password))).status, 200);
    assert.equal((await content(shared, '', sent(password))).text, TEXT);
  });

  test('429: after 10 wrong ones, of many at once too; of this share and this address alone', async () => {
    const { owner, file, shared } = await sharedFile({ password });
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, n) => read(shared, '', sent(`wrong-${n}`))),
    );
    const counts = Object.groupBy(replies, ({ body }) => body.code);
    assert.deepEqual([counts['share_password']?.length, counts['rate_limited']?.length], [10, 4]);
    const right = await content(shared, '', sent(password));
    assert.equal(right.status, 429);
    assert.ok(Number(right.headers.get('retry-after')) > 0);
    const other = await share(owner, { file_id: file.id, password });
    assert.equal((await read(other, '', sent(password))).status, 200);
  });

  test('right ones are no guesses, however many come at once', async () => {
    const { owner, shared } = await sharedFile({ password });
    const replies = await Promise.all(Array.from({ length: 30 }, () => content(shared, '', sent(password))));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    await owner.patch(`/cloud/shares/${shared.id}`, { password: 'another-river' });
    assert.equal((await content(shared, '', sent(password))).body.code, 'share_password');
    assert.equal((await content(shared, '', sent('another-river'))).status, 200);
  });
});

describe('downloads', () => {
  const counted = async (owner: Office, { id }: Shared) =>
    (await owner.get(`/cloud/shares/${id}`)).body.share;

  test('of 50 at once on 10 ten are answered, and the share is used up', async () => {
    const { owner, shared } = await sharedFile({ max_downloads: 10 });
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
    const { owner, shared } = await sharedFile({ max_downloads: 2 });
    const etag = `"sha256:${sha256(TEXT)}"`;
    await guest.send('HEAD', `/cloud/s/${shared.token}/content`);
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
    const { owner, file, shared } = await sharedFile({ max_downloads: 1 });
    const [row] = await app.database.withConnection(owner.organization_id, ({ query }) =>
      query<{ storage_key: string }>('SELECT storage_key FROM cloud_items WHERE id = $1', [file.id]),
    );
    await app.context.storage.remove(row!.storage_key);
    assert.ok((await content(shared)).status >= 500);
    assert.equal((await counted(owner, shared)).download_count, 0);
  });

  test('stand in the audit log, each with its file, as those of a guest', async () => {
    const { owner, a, shared } = await sharedFolder();
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
      const { owner, file, shared } = await sharedFile();
      const inFolder = await sharedFolder();
      await scanned(app, owner, file.sha256, scan);
      await scanned(app, inFolder.owner, inFolder.a.sha256, scan);
      for (const reply of [await read(shared), await content(shared)]) {
        assert.deepEqual([reply.status, reply.body.code], [409, code]);
      }
      assert.deepEqual(names(await read(inFolder.shared)), ['2026年度', 'empty']);
      const reply = await content(inFolder.shared, '/a.txt');
      assert.equal(reply.body.code, scan === 'quarantined' ? 'quarantined' : 'not_found');
      for (const { owner: each } of [{ owner }, inFolder]) {
        await each.patch('/cloud/settings', { share_unscanned: true });
      }
      assert.equal((await content(shared)).status, scan === 'unscanned' ? 200 : 409);
      assert.equal(names(await read(inFolder.shared)).length, scan === 'unscanned' ? 3 : 2);
    });
  }
});

test('429: beyond 1,200 reads a minute of one address, whichever shares they are of', async () => {
  const limited = await startApp({
    environment: { RATE_LIMIT_PER_MINUTE: '2000' },
    now: () => new Date('2026-11-21T00:00:00Z'),
  });
  const owner = await newOffice(limited);
  const folder = await owner.folder('公開');
  const [one, other] = [
    await share(owner, { folder_id: folder.id }),
    await share(owner, { folder_id: folder.id }),
  ];
  const get = ({ token }: Shared) => limited.anonymous.get(`/cloud/s/${token}`);
  const first = await get(one);
  assert.match(first.headers.get('ratelimit-policy') ?? '', /"cloud_share";q=1200;w=60/);
  assert.match(first.headers.get('ratelimit') ?? '', /"cloud_share";r=1199/);
  assert.match((await get(other)).headers.get('ratelimit') ?? '', /"cloud_share";r=1198/);
});
