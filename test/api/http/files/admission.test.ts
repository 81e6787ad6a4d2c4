import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { write } from '../../../../api/http/endpoint.ts';
import { upload } from '../../../../api/http/files/declarations.ts';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { createJob } from '../../../../shared/platform/jobs/operations.ts';
import { startApp } from '../../../support/app.ts';
import { looseFiles, storedFiles } from '../../../support/stored.ts';
import { until } from '../../../support/until.ts';
import { formWith } from '../../../support/uploads.ts';

/** What the endpoints were asked, in order. */
const asked: string[] = [];
let room = Infinity;

const reply = z.strictObject({ seen: z.record(z.string(), z.unknown()) });
const common = { scope: 'crm:write', summary: 'Take a content', reply, raises: ['already_exists'] } as const;
const fact = { kind: 'crm.contents', scope: 'crm:write', unit: null } as const;

function admitted(length: number | null) {
  asked.push(`admit ${length}`);
  if (room === 0) throw new Failure('already_exists');
  const dismiss = async () => {
    asked.push('dismiss');
  };
  return { limit: room, granted: 'a place', dismiss };
}

const app = await startApp({
  endpoints: [
    upload({
      ...common,
      id: 'crm.contents.put',
      method: 'put',
      path: '/api/v1/crm/contents/:name',
      params: z.strictObject({ name: z.string().meta({ examples: ['a'] }) }),
      file: { field: 'file', limit: 1_000_000, keep: true, raw: 'only', may_be_empty: true },
      own_conditions: true,
      admit: async ({ length }) => admitted(length),
      async handle({ file, granted, conditions }, work) {
        createJob(work, fact);
        return { seen: { size: file.size, type: file.content_type, granted, ...conditions } };
      },
    }),
    upload({
      ...common,
      id: 'crm.contents.create',
      method: 'post',
      path: '/api/v1/crm/contents',
      file: { field: 'file', limit: 1_000_000, keep: true },
      fields: z.strictObject({
        title: z
          .string()
          .max(5)
          .meta({ examples: ['a'] }),
      }),
      admit: async ({ fields, length }) => {
        asked.push(fields.title);
        return admitted(length);
      },
      async handle({ file, granted, fields }, work) {
        createJob(work, fact);
        return { seen: { size: file.size, granted, title: fields.title } };
      },
      or: write({
        ...common,
        id: 'crm.contents.copy',
        method: 'post',
        path: '/api/v1/crm/contents',
        body: z.strictObject({ source: z.string().meta({ examples: ['inv_1'] }) }),
        async handle({ body }, work) {
          createJob(work, fact);
          return { seen: { source: body.source } };
        },
      }),
    }),
  ],
});
const client = await app.actor();
const BYTES = { 'Content-Type': 'application/pdf' };

/** What was asked since the last look. */
function since(): string[] {
  return asked.splice(0);
}

async function nothingLeft(before: readonly string[]): Promise<void> {
  await until('nothing of it is left', async () => {
    return storedFiles(app).length === before.length && (await looseFiles(app)).length === 0;
  });
}

describe('PUT of a content', () => {
  test('takes the body whatever it calls itself, an empty one too', async () => {
    for (const [type, content] of [
      ['application/pdf', 'abc'],
      ['multipart/form-data; boundary=x', 'no form'],
      ['application/json', '{}'],
      ['text/plain', ''],
    ] as const) {
      const { status, body } = await client.put('/crm/contents/a', content, { 'Content-Type': type });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.seen.size, content.length);
      assert.equal(body.seen.granted, 'a place');
    }
    assert.deepEqual(since(), ['admit 3', 'admit 7', 'admit 2', 'admit 0']);
  });

  test('hands the conditions to the endpoint, which name no revision', async () => {
    const conditions = { 'If-Match': '"sha256:ab"', 'If-None-Match': '*' };
    const { body } = await client.put('/crm/contents/a', 'abc', { ...BYTES, ...conditions });
    assert.deepEqual([body.seen.if_match, body.seen.if_none_match], ['"sha256:ab"', '*']);
    since();
  });

  test('is refused before a byte is asked for', async () => {
    room = 0;
    const socket = connect(Number(new URL(app.base_url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `PUT /api/v1/crm/contents/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.actor.secret}\r\n` +
        'Content-Length: 10\r\nExpect: 100-continue\r\n\r\n',
    );
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 409/);
    socket.destroy();
    room = Infinity;
    assert.deepEqual(since(), ['admit 10']);
  });

  test('ends at what was granted, which is taken back', async () => {
    const before = storedFiles(app);
    room = 5;
    const { status, body } = await client.put('/crm/contents/a', 'abcdef', BYTES);
    assert.deepEqual([status, body.code], [413, 'body_too_large']);
    room = Infinity;
    assert.deepEqual(since(), ['admit 6', 'dismiss']);
    await nothingLeft(before);
  });

  test('is compared with the digest that was announced', async () => {
    const digest = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
    const put = (header: string) =>
      client.put('/crm/contents/a', 'hello', { ...BYTES, 'Repr-Digest': header });
    assert.equal((await put(digest('hello'))).status, 200);
    const before = storedFiles(app);
    since();
    const other = await put(digest('world'));
    assert.deepEqual([other.status, other.body.code], [422, 'checksum_mismatch']);
    assert.deepEqual(since(), ['admit 5', 'dismiss']);
    await nothingLeft(before);
    const malformed = await put('sha-256=hello');
    assert.deepEqual([malformed.status, malformed.body.errors[0].in], [422, 'header']);
    assert.deepEqual(since(), []);
  });

  test('that breaks off leaves nothing, and what was granted is taken back', async () => {
    const before = storedFiles(app);
    const socket = connect(Number(new URL(app.base_url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `PUT /api/v1/crm/contents/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.actor.secret}\r\n` +
        'Content-Length: 100000\r\n\r\nabc',
    );
    await until('it is being stored', () => storedFiles(app).length > before.length);
    socket.destroy();
    await until('it is taken back', () => asked.includes('dismiss'));
    assert.deepEqual(since(), ['admit 100000', 'dismiss']);
    await nothingLeft(before);
  });
});

describe('POST of a form', () => {
  test('is admitted by the fields before the file', async () => {
    const { status, body } = await client.post('/crm/contents', formWith('abc', { title: 'a' }));
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.seen, { size: 3, granted: 'a place', title: 'a' });
    const [title, admit, ...rest] = since();
    assert.deepEqual([title, rest], ['a', []]);
    assert.match(admit!, /^admit \d+$/);
  });

  test('422 for fields behind the file, and for wrong ones before anything is asked', async () => {
    const before = storedFiles(app);
    const behind = new FormData();
    behind.append('title', 'a');
    behind.append('file', new Blob(['abc']), 'a.txt');
    behind.append('later', 'a');
    const late = await client.post('/crm/contents', behind);
    assert.deepEqual(
      [late.status, late.body.errors[0].path, late.body.errors[0].code],
      [422, '/file', 'misplaced'],
    );
    assert.equal(since().at(-1), 'dismiss');
    const wrong = await client.post('/crm/contents', formWith('abc', { title: 'too long' }));
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, '/title']);
    assert.deepEqual(since(), []);
    await nothingLeft(before);
  });

  test('a repeated one is compared, not stored and not admitted', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const send = (content: string) => client.post('/crm/contents', formWith(content, { title: 'a' }), key);
    const first = await send('abc');
    const before = storedFiles(app);
    since();
    room = 0;
    const again = await send('abc');
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const other = await send('abd');
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    room = Infinity;
    assert.deepEqual(since(), []);
    assert.deepEqual(storedFiles(app), before);
  });

  test('JSON at the same path is another call', async () => {
    const { status, body } = await client.post('/crm/contents', { source: 'inv_2' });
    assert.deepEqual([status, body.seen], [200, { source: 'inv_2' }]);
    assert.equal((await client.post('/crm/contents', { other: 1 })).status, 422);
    const text = await client.post('/crm/contents', 'abc', { 'Content-Type': 'text/plain' });
    assert.deepEqual([text.status, text.body.code], [415, 'unsupported_media_type']);
    assert.deepEqual(since(), []);
  });
});
