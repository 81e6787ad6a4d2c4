import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { looseFiles, storedFiles } from '../../../support/stored.ts';
import { until } from '../../../support/until.ts';
import { formWith, uploading } from '../../../support/uploads.ts';

const MIB = 1024 * 1024;
const PDF = '%PDF-1.7\n';
const app = await startApp({
  endpoints: [
    uploading({ path: 'several', file: { most: 3, limit: MIB }, together: 'data' }),
    uploading({ path: 'pdfs', file: { accepts: ['pdf', 'png'] } }),
    uploading({ path: 'raw', method: 'put', file: { raw: true, limit: 3 * MIB } }),
    uploading({ path: 'pieces', method: 'patch', file: { raw: true } }),
  ],
});
const client = await app.actor();
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

function formOf(contents: readonly (string | Uint8Array)[], fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [place, content] of contents.entries())
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), `${place}.bin`);
  return form;
}

const rowsOf = (organization_id: string) =>
  app.database.withConnection(organization_id, ({ query }) =>
    query<{ storage_key: string; sha256: string; content_type: string; declared_type: string; scan: string }>(
      `SELECT storage_key, sha256, content_type, declared_type, scan FROM files
        WHERE organization_id = $1 ORDER BY storage_key`,
      [organization_id],
    ),
  );

/** Sends a body without its length. */
async function sendChunked(bytes: Buffer) {
  const sent = request(`${app.base_url}/api/v1/mail/raw`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${client.actor.secret}`, 'Transfer-Encoding': 'chunked' },
  });
  sent.on('error', () => undefined);
  sent.end(bytes);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, body: JSON.parse(await text(reply)) };
}

afterEach(async () => assert.deepEqual(await looseFiles(app), []));

describe('several files in a form', () => {
  test('are kept each with its hash, in their order, beside fields as JSON', async () => {
    const own = await app.actor();
    const contents = ['one', `${PDF}two`, 'three'];
    const reply = await own.post('/mail/several', formOf(contents, { data: '{"rows": 5}' }));
    assert.equal(reply.status, 202, reply.text);
    assert.deepEqual(reply.body.names, ['0.bin', '1.bin', '2.bin']);
    assert.deepEqual(reply.body.fields, { rows: 5 });
    const rows = await rowsOf(own.actor.organization_id);
    assert.deepEqual(rows.map((row) => row.sha256).sort(), contents.map(sha256).sort());
    const types = rows.map(({ content_type }) => content_type).sort();
    assert.deepEqual(types, ['application/pdf', 'text/plain', 'text/plain']);
    for (const { storage_key, sha256: kept } of rows)
      assert.equal(sha256(await buffer(await app.context.storage.read(storage_key))), kept);
  });

  test('one key stands for all of them: another content, another order or one less is another request', async () => {
    const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') };
    const first = await client.post('/mail/several', formOf(['a', 'b']), headers);
    assert.equal(first.status, 202, first.text);
    const stored = storedFiles(app);
    const again = await client.post('/mail/several', formOf(['a', 'b']), headers);
    assert.deepEqual([again.status, again.body], [202, first.body]);
    for (const contents of [['a', 'c'], ['b', 'a'], ['a']]) {
      const reply = await client.post('/mail/several', formOf(contents), headers);
      assert.deepEqual([reply.status, reply.body.code], [422, 'idempotency_key_reused']);
    }
    assert.deepEqual(storedFiles(app), stored);
  });

  const refused: [what: string, contents: (string | Uint8Array)[], status: number, code: string][] = [
    ['one more than may be', ['a', 'b', 'c', 'd'], 422, 'too_many'],
    ['one that is empty', ['a', '', 'c'], 422, 'empty_file'],
    ['one above its limit', ['a', Buffer.alloc(MIB + 1), 'c'], 413, 'body_too_large'],
  ];
  for (const [what, contents, status, code] of refused) {
    test(`${status} for ${what}, and none is stored`, async () => {
      const before = storedFiles(app);
      const reply = await client.post('/mail/several', formOf(contents));
      assert.deepEqual(
        [reply.status, reply.body.errors?.[0]?.code ?? reply.body.code],
        [status, code],
        reply.text,
      );
      assert.deepEqual(storedFiles(app), before);
    });
  }

  test('none is stored where the form breaks off behind a whole one', async () => {
    const before = storedFiles(app);
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
    const reply = await client.post('/mail/several', `${part}abc\r\n${part}de`, type);
    assert.deepEqual([reply.status, reply.body.code], [400, 'malformed_form'], reply.text);
    assert.deepEqual(storedFiles(app), before);
  });
});

describe('the type of a file', () => {
  test('is told by its content, whatever it is called', async () => {
    const reply = await client.post('/mail/pdfs', formWith(`${PDF}rest`, { name: 'picture.png' }));
    assert.equal(reply.status, 202, reply.text);
    assert.equal(reply.body.taken.content_type, 'application/pdf');
  });

  for (const [what, content] of [
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a program', Buffer.concat([Buffer.from('MZ\u0090\0'), Buffer.alloc(4 * MIB)])],
    ['a text', 'a,b\n'],
  ] as const) {
    test(`415 for ${what} that is called .pdf, and nothing is stored`, async () => {
      const before = storedFiles(app);
      const reply = await client.post('/mail/pdfs', formWith(content, { name: 'invoice.pdf' }));
      assert.deepEqual([reply.status, reply.body.code], [415, 'unsupported_media_type'], reply.text);
      assert.match(reply.body.detail, /send one of: application\/pdf, image\/png/);
      assert.deepEqual(storedFiles(app), before);
    });
  }
});

describe('a body that is the file itself', () => {
  test('is stored and hashed as it arrives', async () => {
    const bytes = randomBytes(3 * MIB);
    for (const [path, method] of [
      ['raw', 'put'],
      ['pieces', 'patch'],
    ] as const) {
      const headers = { 'Content-Type': 'application/x-table' };
      const reply = await fetch(`${app.base_url}/api/v1/mail/${path}`, {
        method: method.toUpperCase(),
        body: bytes,
        headers: { ...headers, Authorization: `Bearer ${client.actor.secret}` },
      });
      assert.equal(reply.status, 202);
      const { taken } = (await reply.json()) as { taken: Record<string, unknown> };
      assert.deepEqual(
        [taken.file_name, taken.media_type, taken.size, taken.sha256],
        ['file', 'application/x-table', bytes.length, sha256(bytes)],
      );
    }
  });

  test('may come in a form as well', async () => {
    const reply = await client.put('/mail/raw', formWith('a', { rows: '7' }));
    assert.deepEqual([reply.status, reply.body.fields], [202, { rows: 7 }], reply.text);
  });

  test('413 for one above its limit, whose length nobody said, 422 for an empty one', async () => {
    const before = storedFiles(app);
    const { status, body } = await sendChunked(Buffer.alloc(3 * MIB + 1));
    assert.deepEqual([status, body.code], [413, 'body_too_large']);
    const empty = await sendChunked(Buffer.alloc(0));
    assert.deepEqual([empty.status, empty.body.errors[0].code], [422, 'empty_file']);
    assert.deepEqual(storedFiles(app), before);
  });

  test('leaves nothing where it breaks off', async () => {
    const before = storedFiles(app);
    const sent = request(`${app.base_url}/api/v1/mail/raw`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${client.actor.secret}`, 'Content-Length': 1_000_000 },
    });
    sent.on('error', () => undefined);
    sent.write('abc');
    await until('it is being stored', () => storedFiles(app).length > before.length);
    sent.destroy();
    await until('nothing is left of it', async () => {
      return storedFiles(app).length === before.length && (await looseFiles(app)).length === 0;
    });
  });
});
