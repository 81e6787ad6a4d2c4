import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { file } from '../../../../api/http/files/declarations.ts';
import { startApp } from '../../../support/app.ts';
import { startS3 } from '../../../support/s3.ts';
import { formWith, uploading } from '../../../support/uploads.ts';

const MiB = 1024 * 1024;
const s3 = await startS3();
const sent = randomBytes(20 * MiB);
let storage_key = '';

const app = await startApp({
  environment: { STORAGE_URL: s3.url },
  endpoints: [
    uploading({ file: { limit: 50 * MiB } }),
    file({
      id: 'mail.files.get',
      path: '/api/v1/mail/file',
      scope: 'mail:read',
      summary: 'Answer the file',
      media_types: ['text/csv'],
      handle: async () => {
        const described = { file_name: 'a.csv', media_type: 'text/csv', size: sent.length };
        return { storage_key, sha256: 'ab'.repeat(32), created_at: '2026-04-01T00:00:00.000Z', ...described };
      },
    }),
  ],
});
const client = await app.actor();
const headers = { Authorization: `Bearer ${client.actor.secret}` };

test('a file goes into an S3 store and comes out of it, whole and in parts', async () => {
  const reply = await client.post('/mail/files', formWith(sent));
  assert.equal(reply.status, 202, reply.text);
  storage_key = reply.body.taken.storage_key;
  assert.deepEqual(s3.objects(), [storage_key]);
  const get = async (more: Record<string, string> = {}) => {
    const response = await fetch(`${app.base_url}/api/v1/mail/file`, { headers: { ...headers, ...more } });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const whole = await get();
  assert.equal(whole.status, 200);
  assert.ok(whole.bytes.equals(sent));
  const part = await get({ Range: 'bytes=9000000-9999999' });
  assert.equal(part.status, 206);
  assert.ok(part.bytes.equals(sent.subarray(9_000_000, 10_000_000)));
});

test('nothing is left there of what is refused, too large or broken off', async () => {
  const before = s3.objects();
  assert.equal((await client.post('/mail/files', formWith('a', { name: 'refused.csv' }))).status, 409);
  assert.equal((await client.post('/mail/files', formWith(Buffer.alloc(50 * MiB + 1)))).status, 413);
  const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  assert.equal((await client.post('/mail/files', head + 'a'.repeat(20 * MiB), type)).status, 400);
  assert.deepEqual(s3.objects(), before);
});

test('503 when the store is away, for what comes and for what is asked', async () => {
  await s3.stop();
  assert.equal((await client.post('/mail/files', formWith('a,b'))).status, 503);
  const reply = await client.get('/mail/file');
  assert.deepEqual([reply.status, reply.body.code], [503, 'unavailable']);
  assert.equal(reply.headers.get('content-disposition'), null);
});
