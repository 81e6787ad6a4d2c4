import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { OutgoingFile } from '../../../../shared/platform/storage/outgoing-file.ts';

const KiB = 1024;
const folder = mkdtempSync(join(tmpdir(), 'outgoing-'));
const content = randomBytes(3 * 1024 * KiB + 7);
const path = join(folder, 'file');
writeFileSync(path, content);

/** Lengths around those of blocks, and where they begin. */
const parts = [
  0,
  1,
  256 * KiB - 1,
  256 * KiB,
  256 * KiB + 1,
  512 * KiB,
  512 * KiB + 1,
  3 * 1024 * KiB,
].flatMap((length) => [0, 7].map((start) => ({ start, length })));

/** Answers the part of the file that a request names, as the API does. */
const server: Server = createServer(async ({ url }, response) => {
  const [start = 0, length = 0] = url!.slice(1).split('-').map(Number);
  response.setHeader('Content-Length', length);
  pipeline(new OutgoingFile(await open(path), { start, length }), response, () => undefined);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function answerTo({ start, length }: { start: number; length: number }): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const [answer] = await once(get({ port, host: '127.0.0.1', path: `/${start}-${length}` }), 'response');
  return answer;
}

test('sends each byte of the part, also to who takes them slowly', async () => {
  for (const { start, length } of parts) {
    const taken: Buffer[] = [];
    for await (const chunk of await answerTo({ start, length })) {
      taken.push(chunk);
      for (let turns = 0; turns < 5; turns += 1) await turn();
    }
    assert.ok(
      Buffer.concat(taken).equals(content.subarray(start, start + length)),
      `${length} from ${start}`,
    );
  }
});

test('gives the same bytes to who iterates', async () => {
  for (const { start, length } of parts) {
    const bytes = await buffer(new OutgoingFile(await open(path), { start, length }));
    assert.ok(bytes.equals(content.subarray(start, start + length)), `${length} from ${start}`);
  }
});

test('breaks where the file has fewer bytes than were announced', async () => {
  const part = { start: content.length - 10, length: 11 };
  await assert.rejects(async () => buffer(new OutgoingFile(await open(path), part)), /ends 1 bytes early/);
  const answer = await answerTo(part);
  await assert.rejects(buffer(answer), { code: 'ECONNRESET' });
});
