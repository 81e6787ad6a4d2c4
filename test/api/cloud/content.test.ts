import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';

const app = await startApp();
const office = await newOffice(app);
const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => 32 + (index % 95)));
const etag = `"sha256:${createHash('sha256').update(bytes).digest('hex')}"`;
const file = await office.file('thousand.bin', bytes);
const empty = await office.file('empty.bin', '');

type Got = { status: number; headers: Headers; bytes: Buffer };

async function content(
  { id }: { id: string },
  headers: Record<string, string> = {},
  { method = 'GET', query = '', reader = office }: { method?: string; query?: string; reader?: Office } = {},
): Promise<Got> {
  const reply = await fetch(`${app.base_url}/api/v1/cloud/files/${id}/content${query}`, {
    method,
    headers: { Authorization: `Bearer ${reader.actor.secret}`, ...headers },
  });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

describe('a range of a thousand bytes', () => {
  for (const [range, from, to] of [
    ['bytes=0-99', 0, 99],
    ['bytes=900-', 900, 999],
    ['bytes=-100', 900, 999],
    ['bytes=990-5000', 990, 999],
    ['bytes=-5000', 0, 999],
  ] as const) {
    test(`${range} is ${from} to ${to}`, async () => {
      const got = await content(file, { Range: range });
      assert.deepEqual(
        [got.status, got.headers.get('content-range'), got.headers.get('content-length')],
        [206, `bytes ${from}-${to}/1000`, String(to - from + 1)],
      );
      assert.deepEqual(got.bytes, bytes.subarray(from, to + 1));
      assert.equal(got.headers.get('etag'), etag);
    });
  }

  test('behind the end, or of an empty file, is 416', async () => {
    const behind = await content(file, { Range: 'bytes=1000-' });
    assert.deepEqual([behind.status, behind.headers.get('content-range')], [416, 'bytes */1000']);
    for (const range of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) {
      const none = await content(empty, { Range: range });
      assert.deepEqual([none.status, none.headers.get('content-range')], [416, 'bytes */0'], range);
    }
    assert.equal((await content(empty)).status, 200);
  });

  for (const range of ['bytes=0-1,5-6', 'bytes=5-2', 'lines=1-2', 'bytes=a-b']) {
    test(`${range} is not one: all is sent`, async () => {
      const got = await content(file, { Range: range });
      assert.deepEqual([got.status, got.headers.get('content-range')], [200, null]);
      assert.deepEqual(got.bytes, bytes);
    });
  }

  test('is sent only while the content is the one named by If-Range', async () => {
    const { headers } = await content(file);
    for (const [condition, status] of [
      [etag, 206],
      ['"sha256:other"', 200],
      [`W/${etag}`, 200],
      [headers.get('last-modified')!, 200],
    ] as const) {
      const got = await content(file, { Range: 'bytes=0-9', 'If-Range': condition });
      assert.equal(got.status, status, condition);
      assert.equal(got.bytes.length, status === 206 ? 10 : 1_000);
    }
  });
});

describe('a condition on the content', () => {
  for (const [header, value, status] of [
    ['If-None-Match', etag, 304],
    ['If-None-Match', `"x", ${etag}`, 304],
    ['If-None-Match', '*', 304],
    ['If-None-Match', '"sha256:other"', 200],
    ['If-Match', '"sha256:other"', 412],
    ['If-Match', etag, 200],
    ['If-Match', '*', 200],
  ] as const) {
    test(`${header}: ${value.length > 20 ? value.slice(0, 20) : value} answers ${status}`, async () => {
      assert.equal((await content(file, { [header]: value })).status, status);
      assert.equal((await content(file, { [header]: value }, { method: 'HEAD' })).status, status);
    });
  }

  test('HEAD is GET without a range and without bytes', async () => {
    const [head, got] = [
      await content(file, { Range: 'bytes=0-9' }, { method: 'HEAD' }),
      await content(file),
    ];
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    for (const name of ['content-length', 'accept-ranges', 'etag', 'last-modified', 'content-disposition']) {
      assert.ok(head.headers.get(name), name);
      assert.equal(head.headers.get(name), got.headers.get(name), name);
    }
    assert.deepEqual(
      [got.headers.get('content-length'), got.headers.get('accept-ranges')],
      ['1000', 'bytes'],
    );
  });
});

describe('a browser', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  for (const [name, body, type, disposition, sandboxed] of [
    ['a.pdf', '%PDF-1.4\n', 'application/pdf', 'inline', false],
    ['a.png', PNG, 'image/png', 'inline', true],
    ['a.txt', 'text', 'text/plain', 'inline', true],
    ['page.pdf', '<!doctype html><script>1</script>', 'text/html', 'attachment', true],
    ['drawing.pdf', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'attachment', true],
    ['b.zip', 'PK\u0003\u0004', 'application/zip', 'attachment', true],
  ] as const) {
    test(`is shown ${name} of ${type} as ${disposition}`, async () => {
      const kept = await office.file(`shown-${name}`, body);
      assert.equal(kept.content_type, type);
      const { headers } = await content(kept, {}, { query: '?disposition=inline' });
      assert.match(headers.get('content-disposition')!, new RegExp(`^${disposition}`));
      assert.equal(headers.get('content-type')?.split(';')[0], type);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      const policy = headers.get('content-security-policy')!;
      assert.match(policy, /default-src 'none'/);
      assert.equal(policy.includes('sandbox'), sandboxed, policy);
      const saved = await content(kept);
      assert.match(saved.headers.get('content-disposition')!, /^attachment/);
    });
  }

  test('is told the name in the letters that it has', async () => {
    const kept = await office.file('見積書 (最終).txt', 'x');
    const disposition = (await content(kept)).headers.get('content-disposition')!;
    assert.match(disposition, /filename\*=UTF-8''%E8%A6%8B/);
  });

  test('is sent nowhere by a folder as store, and never inline', async () => {
    assert.equal((await content(file, {}, { query: '?redirect=true' })).status, 200);
    const both = await content(file, {}, { query: '?redirect=true&disposition=inline' });
    assert.equal(both.status, 422);
  });
});

test('a version is handed out by the same rules', async () => {
  await office.store('thousand.bin', 'another');
  const path = `/cloud/files/${file.id}/versions`;
  const [, old] = (await office.get(path)).body.items;
  const part = await office.get(`${path}/${old.id}/content`, { Range: 'bytes=-100' });
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 900-999/1000']);
  assert.equal(part.headers.get('etag'), etag);
  assert.equal((await office.get(`${path}/${old.id}/content`, { 'If-None-Match': etag })).status, 304);
  assert.equal((await content(file)).bytes.toString(), 'another');
});
