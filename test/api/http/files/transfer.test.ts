import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { mount } from '../../../../api/http/mount.ts';
import { startApp } from '../../../support/app.ts';
import { startS3 } from '../../../support/s3.ts';
import { pieceEndpoints, seen } from '../../../support/transfers.ts';
import { until } from '../../../support/until.ts';

const MiB = 1024 * 1024;
const TYPE = 'application/offset+octet-stream';

const s3 = await startS3();
const onDisk = await startApp({ endpoints: pieceEndpoints });
const onS3 = await startApp({ endpoints: pieceEndpoints, environment: { STORAGE_URL: s3.url } });
const client = await onDisk.actor();

type App = typeof onDisk;

/** Begins a PATCH by hand that announces so many bytes. */
async function patching(app: App, name: string, at: number, length: number, secret: string): Promise<Socket> {
  const socket = connect(Number(new URL(app.base_url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  const lines = [
    `PATCH /api/v1/crm/pieces/${name} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
    `Content-Type: ${TYPE}`,
    `Content-Length: ${length}`,
    `Upload-Offset: ${at}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

for (const [name, app] of [
  ['a folder', onDisk],
  ['an S3 store', onS3],
] as const) {
  test(`what arrived before the line was cut counts, to the byte, in ${name}`, async () => {
    const sender = await app.actor();
    const bytes = randomBytes(18 * MiB + 1);
    let at = 0;
    for (let cut = 0; cut < 5; cut++) {
      const until_byte = at + randomInt(1, 3 * MiB);
      const socket = await patching(app, 'cut', at, bytes.length - at, sender.actor.secret);
      const before = seen.bytes;
      socket.write(bytes.subarray(at, until_byte));
      await until('all of it has arrived', () => seen.bytes - before === until_byte - at);
      socket.destroy();
      await until('the call is over', () => seen.ended === seen.begun);
      const { headers } = await sender.send('HEAD', '/crm/pieces/cut');
      assert.equal(headers.get('upload-offset'), String(until_byte));
      at = until_byte;
    }
    const rest = await fetch(`${app.base_url}/api/v1/crm/pieces/cut`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${sender.actor.secret}`,
        'Content-Type': TYPE,
        'Upload-Offset': String(at),
      },
      body: bytes.subarray(at),
    });
    assert.deepEqual([rest.status, rest.headers.get('upload-offset')], [204, String(bytes.length)]);
    const { storage } = app.context;
    await storage.finish('org_a/cut', bytes.length);
    assert.ok((await buffer(await storage.read('org_a/cut'))).equals(bytes));
  });
}

describe('a body of bytes', () => {
  const headers = { 'Content-Type': TYPE, 'Upload-Offset': '0' };

  test('has one of the types that are taken, and no encoding', async () => {
    const wrongs: Record<string, string>[] = [
      { 'Content-Type': 'text/plain' },
      { 'Content-Encoding': 'gzip' },
    ];
    for (const wrong of wrongs) {
      const reply = await client.patch('/crm/pieces/typed', 'abc', { ...headers, ...wrong });
      assert.deepEqual([reply.status, reply.body.code], [415, 'unsupported_media_type']);
    }
    const parameters = { ...headers, 'Content-Type': `${TYPE.toUpperCase()}; x=1` };
    assert.equal((await client.patch('/crm/pieces/typed', 'abc', parameters)).status, 204);
  });

  test('is refused by its length before a byte of it comes', async () => {
    const large = 'a'.repeat(30 * MiB + 1);
    const reply = await client.patch('/crm/pieces/large', large, headers);
    assert.deepEqual([reply.status, reply.body.code], [413, 'body_too_large']);
  });

  test('is not asked for where the call is refused', async () => {
    const socket = connect(Number(new URL(onDisk.base_url).port), '127.0.0.1');
    await once(socket, 'connect');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const begin = (method: string, name: string) =>
      socket.write(
        `${method} /api/v1/crm/pieces/${name} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.actor.secret}\r\n` +
          `Content-Type: ${TYPE}\r\nUpload-Offset: 0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`,
      );
    begin('PUT', 'asked');
    await until('it is refused', () => text.includes('HTTP/1.1 409'));
    assert.doesNotMatch(text, /100 Continue/);
    socket.destroy();
  });

  test('is asked for by who takes it', async () => {
    const socket = await patching(onDisk, 'awaited', 0, 3, `${client.actor.secret}\r\nExpect: 100-continue`);
    const [asked] = await once(socket, 'data');
    assert.match(String(asked), /^HTTP\/1\.1 100 Continue/);
    socket.write('abc');
    const [done] = await once(socket, 'data');
    assert.match(String(done), /^HTTP\/1\.1 204.*Upload-Offset: 3/is);
    socket.destroy();
  });

  test('of a silent sender ends, and what came of it counts', async () => {
    const app = await startApp({ endpoints: pieceEndpoints, time_limits: { body: 2_000 } });
    const sender = await app.actor();
    const socket = await patching(app, 'silent', 0, 10, sender.actor.secret);
    socket.write('abc');
    await once(socket, 'close');
    await until('the call is over', () => seen.ended === seen.begun);
    assert.equal(await app.context.storage.received('org_a/silent'), 3);
  });

  test('holds no connection to the database while it comes', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        patching(onDisk, `held_${'abcd'[index % 4]}${'x'.repeat(index)}`, 0, 10, client.actor.secret),
      ),
    );
    const before = seen.bytes;
    for (const socket of sockets) socket.write('abc');
    await until('all have begun', () => seen.bytes - before === 40 * 3);
    assert.equal((await client.get('/crm/pieces/held')).status, 200);
    for (const socket of sockets) socket.destroy();
    await until('all are over', () => seen.ended === seen.begun);
  });
});

describe('methods', () => {
  test('HEAD of its own, beside a GET of JSON', async () => {
    const head = await client.send('HEAD', '/crm/pieces/none');
    assert.deepEqual(
      [head.status, head.headers.get('upload-offset'), head.headers.get('content-length'), head.text],
      [200, '0', '0', ''],
    );
    assert.deepEqual((await client.get('/crm/pieces/none')).body, { name: 'none' });
  });

  test('OPTIONS of its own, to everybody; elsewhere it tells the methods', async () => {
    const own = await onDisk.anonymous.send('OPTIONS', '/crm/pieces');
    assert.deepEqual([own.status, own.headers.get('tus-version'), own.text], [204, '1.0.0', '']);
    const other = await onDisk.anonymous.send('OPTIONS', '/crm/pieces/none');
    assert.equal(other.headers.get('allow'), 'HEAD, GET, PATCH, PUT');
  });

  test('a HEAD that the GET before it would answer is a mistake', () => {
    assert.throws(() => mount(onDisk.context, pieceEndpoints.toReversed()), /before the GET/);
  });
});

describe("a path's rest", () => {
  const type = { 'Content-Type': 'image/png' };

  test('is one parameter, decoded', async () => {
    for (const [rest, named] of [
      ['a.txt', 'a.txt'],
      ['a/b/c%20d.txt', 'a/b/c d.txt'],
      ['%E8%A6%8B%E7%A9%8D/x', '見積/x'],
      ['a//b/', 'a//b/'],
      ['%2e%2e%2fx', '../x'],
    ]) {
      const reply = await client.put(`/crm/bytes/${rest}`, 'abc', type);
      const taken = { rest: named, size: 3, length: 3, media_type: 'image/png' };
      assert.deepEqual([reply.status, reply.body], [201, taken]);
    }
  });

  test('is not empty, and is UTF-8', async () => {
    assert.equal((await client.put('/crm/bytes/', 'abc', type)).status, 404);
    assert.equal((await client.put('/crm/bytes/%ff', 'abc', type)).status, 404);
  });
});
