import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { z } from 'zod';
import { type Delivery, file } from '../../../../api/http/files/declarations.ts';
import { startApp } from '../../../support/app.ts';
import { startS3 } from '../../../support/s3.ts';

const storage_key = 'org_a/uploads/file_delivered';
const sha256 = 'ab'.repeat(32);
const etag = `"sha256:${sha256}"`;

/** The file with the type and the delivery that the query says. */
const delivered = file({
  id: 'crm.delivered.get',
  path: '/api/v1/crm/delivered',
  scope: 'crm:read',
  summary: 'Answer a file',
  media_types: ['application/octet-stream'],
  query: z.strictObject({ type: z.string(), delivery: z.string() }),
  handle: async ({ query }) => ({
    storage_key,
    file_name: '見積書.pdf',
    media_type: query.type,
    size: 1000,
    sha256,
    created_at: '2026-04-01T00:30:00.000Z',
    delivery: JSON.parse(query.delivery),
  }),
});
const app = await startApp({ endpoints: [delivered] });
await app.context.storage.write(storage_key, Readable.from([Buffer.alloc(1000, 'a')]), { limit: 1000 });
const client = await app.actor();

function get(type: string, delivery: Delivery, headers: Record<string, string> = {}, method = 'GET') {
  const query = new URLSearchParams({ type, delivery: JSON.stringify(delivery) });
  return client.send(method, `/crm/delivered?${query}`, undefined, headers);
}

const NAMED = /; filename="quotation\.pdf"; filename\*=UTF-8''%E8%A6%8B%E7%A9%8D%E6%9B%B8\.pdf$/;

test('inline are the types alone that run nothing', async () => {
  for (const [type, place] of [
    ['application/pdf', 'inline'],
    ['image/png', 'inline'],
    ['image/jpeg', 'inline'],
    ['image/gif', 'inline'],
    ['image/webp', 'inline'],
    ['text/plain', 'inline'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/xml', 'attachment'],
    ['application/octet-stream', 'attachment'],
  ] as const) {
    const { headers } = await get(type, { disposition: 'inline' });
    const disposition = headers.get('content-disposition')!;
    assert.ok(disposition.startsWith(`${place}; `), `${type}: ${disposition}`);
    assert.match(disposition, NAMED);
    assert.equal(headers.get('content-type'), type);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /^default-src 'none';/);
    assert.equal(policy.includes('sandbox'), type !== 'application/pdf', `${type}: ${policy}`);
  }
});

test('a file is to be saved unless it is said otherwise', async () => {
  for (const delivery of [{}, { disposition: 'attachment' }] as Delivery[]) {
    const { headers } = await get('application/pdf', delivery);
    assert.match(headers.get('content-disposition')!, /^attachment; /);
  }
});

test('its ETag may be the hash of its content', async () => {
  const whole = await get('text/plain', { etag });
  assert.deepEqual([whole.status, whole.headers.get('etag')], [200, etag]);
  const part = await get('text/plain', { etag }, { Range: 'bytes=0-99', 'If-Range': etag });
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 0-99/1000']);
  const same = await get('text/plain', { etag }, { 'If-None-Match': etag });
  assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag]);
  const other = await get('text/plain', { etag }, { 'If-Match': '"sha256:00"' });
  assert.deepEqual([other.status, other.body.code], [412, 'precondition_failed']);
});

test('HEAD answers what GET does without Range, and no byte', async () => {
  const head = await get('text/plain', { etag }, { Range: 'bytes=0-99' }, 'HEAD');
  assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '1000']);
});

test('a file that is given whole alone says so', async () => {
  const { status, headers, text } = await get('text/plain', { ranges: false }, { Range: 'bytes=0-99' });
  assert.deepEqual([status, text.length, headers.get('accept-ranges')], [200, 1000, 'none']);
});

test('who asks for it is sent to a URL of the store, where that has one, and gets a file to be saved', async () => {
  const here = await get('text/html', { redirect: true });
  assert.deepEqual([here.status, here.text.length], [200, 1000]);

  const s3 = await startS3();
  const away = await startApp({ endpoints: [delivered], environment: { STORAGE_URL: s3.url } });
  const content = Buffer.alloc(1000, 'b');
  await away.context.storage.write(storage_key, Readable.from([content]), { limit: 1000 });
  const query = new URLSearchParams({
    type: 'text/html',
    delivery: JSON.stringify({ redirect: true, disposition: 'inline', etag }),
  });
  const path = `/crm/delivered?${query}`;
  const other = await away.actor();
  const { status, headers, text } = await other.get(path);
  assert.deepEqual([status, text], [302, '']);
  const location = headers.get('location')!;
  assert.equal(new URL(location).searchParams.get('X-Amz-Expires'), '300');
  const stored = await fetch(location);
  assert.equal(stored.status, 200);
  assert.ok(Buffer.from(await stored.arrayBuffer()).equals(content));
  assert.match(stored.headers.get('content-disposition')!, /^attachment; /);
  assert.match(stored.headers.get('content-disposition')!, NAMED);
  assert.equal(stored.headers.get('content-type'), 'text/html');
  assert.equal(new URL(location).searchParams.get('X-Amz-Signature'), signatureOf(new URL(location)));
  assert.equal((await other.get(path, { 'If-None-Match': etag })).status, 304);
});

test('416 tells the length', async () => {
  const { status, headers, body } = await get('text/plain', {}, { Range: 'bytes=1000-' });
  assert.deepEqual([status, body.code], [416, 'range_not_satisfiable']);
  assert.equal(headers.get('content-range'), 'bytes */1000');
  assert.equal(headers.get('content-disposition'), null);
});

/** What Amazon's page "Signature calculation: query parameters" says that the signature is; the test store looks at none. */
function signatureOf(url: URL): string {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const given = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature');
  const query = given.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const [, scope] = /^[^/]+\/(.+)$/.exec(url.searchParams.get('X-Amz-Credential')!)!;
  const headers = `host:${url.host}\n`;
  const request = ['GET', url.pathname, query.join('&'), headers, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const hash = createHash('sha256').update(request).digest('hex');
  const text = ['AWS4-HMAC-SHA256', url.searchParams.get('X-Amz-Date'), scope, hash].join('\n');
  const key = scope!.split('/').reduce<string | Buffer>(hmac, 'AWS4S3RVER');
  return hmac(key, text).toString('hex');
}
