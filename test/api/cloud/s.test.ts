import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { guestOf, pathsIn, sha256, share, sharedFile, sharedFolder, TEXT } from '../../support/shares.ts';

const app = await startApp();
const { read, content, head } = guestOf(app);

describe('a shared file', () => {
  test('200: tells what it is, and nothing of who has it', async () => {
    const { shared } = await sharedFile(app);
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
    const { shared } = await sharedFile(app);
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
    const bare = await head(shared);
    assert.deepEqual([bare.status, bare.headers.get('content-length'), bare.text], [200, '1000', '']);
    assert.equal((await content(shared, `/${encodeURIComponent('見積書.txt')}`)).text, TEXT);
    assert.equal((await content(shared, '/other.txt')).status, 404);
  });

  test('shows what it has become: a new version, another name', async () => {
    const { owner, file, shared } = await sharedFile(app);
    await owner.send('PUT', `/cloud/files/${file.id}/content`, 'new', { 'Content-Type': 'text/plain' });
    await owner.patch(`/cloud/files/${file.id}`, { name: 'new.txt' });
    const { share_view } = (await read(shared)).body;
    assert.deepEqual([share_view.name, share_view.sha256], ['new.txt', sha256('new')]);
    assert.equal((await content(shared)).text, 'new');
  });
});

describe('a shared folder', () => {
  test('200: shows what is below it now, without restricted folders', async () => {
    const { owner, folder, inner, shared } = await sharedFolder(app);
    const top = await read(shared);
    assert.deepEqual([top.body.share_view.name, top.body.share_view.sha256], ['公開', null]);
    assert.deepEqual(pathsIn(top), ['2026年度', 'empty', 'a.txt']);
    assert.doesNotMatch(top.text, /社外秘|(file|fold|usr|org|shr)_/);
    const below = await read(shared, `?path=${encodeURIComponent('2026年度')}`);
    assert.equal(below.body.share_view.name, '2026年度');
    assert.deepEqual(pathsIn(below), ['2026年度/議事録.txt']);
    assert.deepEqual(pathsIn(await read(shared, '?path=empty/')), []);
    await owner.file('b.txt', 'b', folder.id);
    await owner.delete(`/cloud/folders/${inner.id}`);
    assert.deepEqual(pathsIn(await read(shared)), ['empty', 'a.txt', 'b.txt']);
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
      seen.push(...pathsIn(reply));
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
    const { shared } = await sharedFolder(app);
    const inner = encodeURIComponent('2026年度');
    const file = encodeURIComponent('議事録.txt');
    assert.equal((await content(shared, `/${inner}/${file}`)).text, '議事');
    const composed = encodeURIComponent('議事録.txt'.normalize('NFD'));
    assert.equal((await content(shared, `/${inner}/${composed}`)).text, '議事');
    const bare = await head(shared, '/a.txt');
    assert.deepEqual([bare.status, bare.headers.get('content-length')], [200, '3']);
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

describe('the limit of an address', () => {
  test('429: beyond 1,200 requests a minute, whichever shares they are of; the page too', async () => {
    const now = new Date('2026-11-21T00:00:00Z');
    const limited = await startApp({ environment: { RATE_LIMIT_PER_MINUTE: '2000' }, now: () => now });
    const owner = await newOffice(limited);
    const folder = await owner.folder('公開');
    const [one, other] = [
      await share(owner, { folder_id: folder.id }),
      await share(owner, { folder_id: folder.id }),
    ];
    const get = guestOf(limited).read;
    const first = await get(one);
    assert.match(first.headers.get('ratelimit-policy') ?? '', /"cloud_share";q=1200;w=60/);
    assert.match(first.headers.get('ratelimit') ?? '', /"cloud_share";r=1199/);
    assert.match((await get(other)).headers.get('ratelimit') ?? '', /"cloud_share";r=1198/);
    const quota = { name: 'cloud_share', limit: 1_200, window_seconds: 60 };
    for (let n = 2; n < 1_200; n++) limited.context.limits.take('127.0.0.1', quota, now);
    for (const shared of [one, other]) {
      const reply = await get(shared);
      assert.deepEqual([reply.status, reply.body.code], [429, 'rate_limited']);
      assert.equal((await fetch(limited.base_url + shared.page)).status, 429);
    }
  });
});

test('302: a browser is sent to the page of a share, and never from its content', async () => {
  const { shared } = await sharedFile(app);
  const asked = (path: string, Accept: string) =>
    fetch(`${app.base_url}/api/v1/cloud/s/${shared.token}${path}`, {
      headers: { Accept },
      redirect: 'manual',
    });
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const sent = await asked('', browser);
  assert.deepEqual([sent.status, sent.headers.get('location')], [302, shared.page]);
  assert.equal((await asked('', '*/*')).status, 200);
  const bytes = await asked('/content', browser);
  assert.deepEqual([bytes.status, await bytes.text()], [200, TEXT]);
});
