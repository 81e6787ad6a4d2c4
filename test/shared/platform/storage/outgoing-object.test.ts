import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { OutgoingObject } from '../../../../shared/platform/storage/outgoing-object.ts';
import { until } from '../../../support/until.ts';

const content = randomBytes(3 * 1024 * 1024 + 7);

async function serving(answer: (response: ServerResponse, path: string) => void): Promise<Server> {
  const server = createServer((request, response) => answer(response, request.url!)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

async function answerOf(server: Server, path: string): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const [answer] = await once(get({ port, host: '127.0.0.1', path }), 'response');
  return answer;
}

/** A store that announces all of the object, and cuts the line before its end where it is asked for `/cut`. */
const store = await serving((response, path) => {
  response.setHeader('Content-Length', content.length);
  if (path === '/cut') response.write(content.subarray(0, -1), () => response.destroy());
  else response.end(content);
});

/** What the store gave to the last request of a caller. */
let given: IncomingMessage;
const api = await serving(async (response, path) => {
  given = await answerOf(store, path);
  response.setHeader('Content-Length', content.length);
  pipeline(new OutgoingObject(given), response, () => undefined);
});

test('sends each byte of the object, also to who takes them slowly', async () => {
  const taken: Buffer[] = [];
  for await (const chunk of await answerOf(api, '/whole')) {
    taken.push(chunk);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
  assert.ok(Buffer.concat(taken).equals(content));
});

test('gives the same bytes to who iterates', async () => {
  const bytes = await buffer(new OutgoingObject(await answerOf(store, '/whole')));
  assert.ok(bytes.equals(content));
});

test('gives the memory of a chunk back once it is written, and not before', async () => {
  const chunks = [1, 2, 3].map((fill) => Buffer.alloc(70_000, fill));
  const held = chunks.map(({ buffer: memory }) => memory);
  const taken: number[] = [];
  const to = {
    write(bytes: Buffer, done: () => void) {
      setImmediate(() => {
        taken.push(bytes[0]!, held.filter(({ byteLength }) => byteLength > 0).length);
        done();
      });
    },
  };
  const sent = new OutgoingObject(Readable.from(chunks));
  sent.pipe(to as unknown as NodeJS.WritableStream);
  await once(sent, 'end');
  assert.deepEqual(taken, [1, 3, 2, 2, 3, 1]);
});

test('breaks where the store cuts the line', async () => {
  await assert.rejects(buffer(await answerOf(api, '/cut')), { code: 'ECONNRESET' });
});

test('lets the store go when the caller has gone', async () => {
  const answer = await answerOf(api, '/whole');
  answer.destroy();
  await until('the connection to the store is closed', () => given.destroyed);
});
