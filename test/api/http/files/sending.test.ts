import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { startApp } from '../../../support/app.ts';
import { looseFiles, storedFiles } from '../../../support/stored.ts';
import { until } from '../../../support/until.ts';
import { formWith, uploading } from '../../../support/uploads.ts';

/** Milliseconds of silence that end an upload here: more than a busy machine makes of a quarter of it. */
const SILENCE = 2_000;

const app = await startApp({ endpoints: [uploading()], time_limits: { body: SILENCE } });
const client = await app.actor();
const { port } = new URL(app.base_url);

const PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
const END = '\r\n--x--\r\n';

type Sending = { socket: Socket; received: () => string; closed: Promise<unknown> };

/** Begins an upload by hand, with this header line besides. */
async function sending(header = '', secret = client.actor.secret): Promise<Sending> {
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  const lines = ['POST /api/v1/mail/files HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`];
  lines.push('Content-Type: multipart/form-data; boundary=x', 'Transfer-Encoding: chunked');
  socket.write(`${lines.join('\r\n')}\r\n${header}\r\n`);
  return { socket, received: () => text, closed: once(socket, 'close') };
}

function send(socket: Socket, text: string): void {
  socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

async function nothingLeft(): Promise<void> {
  await until('nothing of it is left', async () => {
    return storedFiles(app).length === 0 && (await looseFiles(app)).length === 0;
  });
}

describe('a sender', () => {
  test('who is slow but not silent is waited for', async () => {
    const { socket, received } = await sending();
    send(socket, PART);
    for (let row = 0; row < 6; row++) {
      await pause(SILENCE / 4);
      send(socket, `row ${row}\r\n`);
    }
    send(socket, END);
    socket.write('0\r\n\r\n');
    await until('the upload is answered', () => received().includes('HTTP/1.1 202'));
    socket.destroy();
    for (const key of storedFiles(app)) await app.context.storage.remove(key);
  });

  test('who falls silent is cut off, and nothing is left', async () => {
    const { socket, received, closed } = await sending();
    send(socket, `${PART}email\r\n`);
    await closed;
    assert.doesNotMatch(received(), /HTTP\/1.1 2/);
    await nothingLeft();
  });

  test('who goes in the middle leaves nothing', async () => {
    const { socket } = await sending();
    send(socket, `${PART}${'a'.repeat(100_000)}`);
    await until('the file is being stored', () => storedFiles(app).length === 1);
    socket.destroy();
    await nothingLeft();
  });

  test('who asks before sending is told to go on', async () => {
    const { socket, received } = await sending('Expect: 100-continue\r\n');
    await until('it may go on', () => received().includes('HTTP/1.1 100'));
    send(socket, `${PART}a,b${END}`);
    socket.write('0\r\n\r\n');
    await until('the upload is answered', () => received().includes('HTTP/1.1 202'));
    socket.destroy();
    for (const key of storedFiles(app)) await app.context.storage.remove(key);
  });

  test('who asks before sending and may not is told so without a byte of the file', async () => {
    const { received, closed } = await sending('Expect: 100-continue\r\n', 'sk_wrong');
    await closed;
    assert.match(received(), /^HTTP\/1\.1 401 /);
  });

  test('who sends too much is told while still sending', async () => {
    const { socket, received } = await sending();
    send(socket, PART);
    const piece = 'a'.repeat(1024 * 1024);
    for (let sent = 0; sent < 7; sent++) send(socket, piece);
    await until('the refusal is there', () => received().includes('HTTP/1.1 413'));
    assert.match(received(), /"code":"body_too_large"/);
    send(socket, END);
    socket.write('0\r\n\r\n');
    socket.write('GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until('the connection goes on', () => received().includes('HTTP/1.1 404'));
    socket.destroy();
    await nothingLeft();
  });
});

describe('503 and nothing half stored', () => {
  test('when the store is full', async () => {
    const full = await startApp({
      endpoints: [uploading()],
      database: { ...app, url: app.database_url, drop: async () => undefined },
      storage: {
        ...diskStorage('/nowhere'),
        async write(_key, body: Readable) {
          for await (const _ of body) break;
          throw new Failure('unavailable', { headers: { 'Retry-After': '60' } });
        },
        read: () => Promise.reject(new Error('not asked')),
        remove: async () => undefined,
        check: async () => undefined,
      },
    });
    const sender = await full.actor();
    const reply = await sender.post('/mail/files', formWith('a'.repeat(3_000_000)));
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '60'], reply.text);
    assert.deepEqual(await looseFiles(full), []);
  });

  test('when the file was swept before its transaction kept it', async () => {
    const swept = await startApp({
      endpoints: [uploading()],
      database: { ...app, url: app.database_url, drop: async () => undefined },
      storage: {
        ...app.context.storage,
        async put(key, bytes) {
          await app.context.storage.put(key, bytes);
          await app.database.withConnection('*', ({ query }) =>
            query('UPDATE loose_files SET is_removed = true WHERE storage_key = $1', [key]),
          );
        },
      },
    });
    const sender = await swept.actor();
    const reply = await sender.post('/mail/files', formWith('a,b'));
    assert.equal(reply.status, 503, reply.text);
    await nothingLeft();
  });
});
