import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { clamd } from '../../../../shared/platform/intake/clamd.ts';
import type { Scanner } from '../../../../shared/platform/intake/scanner.ts';

const MIB = 1024 * 1024;
const PENDING = { scan: 'pending', finding: null };

/** A scanner whose clamd is `answer`; it is patient for 50 ms unless told otherwise. */
async function scannerOf(
  context: TestContext,
  answer: (socket: Socket) => void,
  patience = 50,
): Promise<{ scanner: Scanner; closed: Promise<unknown> }> {
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('close', resolve);
    answer(socket);
  }).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { scanner: clamd(`tcp://127.0.0.1:${port}`, { most_bytes: 100 * MIB, patience }), closed };
}

/** Answers a letter every 5 ms and never the end of the reply. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('s'), 5);
  socket.once('close', () => clearInterval(timer));
}

test('a reply that never ends is given up after the patience, and is no verdict', async (context) => {
  const { scanner, closed } = await scannerOf(context, (socket) => {
    socket.resume();
    drip(socket);
  });
  const scan = scanner.begin();
  await scan.send(Buffer.from('a'));
  assert.deepEqual(await scan.end(), PENDING);
  await closed;
});

test('a sign of life that never ends is given up too', async (context) => {
  const { scanner } = await scannerOf(context, (socket) => {
    socket.resume();
    drip(socket);
  });
  await assert.rejects(scanner.check(), /clamd (was silent for|did not complete its reply within) 0.05 s/);
});

test('a clamd that reads nothing and still writes does not hold the file', async (context) => {
  const { scanner } = await scannerOf(context, drip);
  const scan = scanner.begin();
  for (let sent = 0; sent < 20; sent += 1) await scan.send(Buffer.alloc(MIB));
  assert.deepEqual(await scan.end(), PENDING);
});

const PATIENT = 120_000;

test('a chunk is not needed any more when the next one may be sent', async (context) => {
  // Small ones, which a socket takes before it has sent them.
  const chunks = Array.from({ length: 50 }, (_, place) => Buffer.alloc(10_000, place + 1));
  const command = Buffer.byteLength('zINSTREAM\0');
  const whole = command + chunks.length * (4 + 10_000);
  const { promise: seen, resolve } = Promise.withResolvers<Buffer>();
  const { scanner } = await scannerOf(
    context,
    (socket) => {
      let sent = Buffer.alloc(0);
      socket.on('data', (part: Buffer) => {
        sent = Buffer.concat([sent, part]);
        if (sent.length >= whole) resolve(sent);
      });
    },
    PATIENT,
  );
  const scan = scanner.begin();
  for (const chunk of chunks) {
    const lent = Buffer.from(chunk);
    await scan.send(lent);
    lent.fill(0xff);
  }
  const sent = await seen;
  for (const [place, chunk] of chunks.entries()) {
    const begin = command + place * (4 + chunk.length) + 4;
    assert.ok(sent.subarray(begin, begin + chunk.length).equals(chunk), `chunk ${place}`);
  }
  scan.abandon();
});

test('a file is not clean by a reply that came before its end', async (context) => {
  const { scanner, closed } = await scannerOf(
    context,
    (socket) => socket.resume().once('data', () => socket.write('stream: OK\0')),
    PATIENT,
  );
  const scan = scanner.begin();
  await scan.send(Buffer.from('a'));
  await closed;
  await scan.send(Buffer.from('b'));
  assert.deepEqual(await scan.end(), PENDING);
});

test('malware and a size limit count before the end', async (context) => {
  const replies = {
    'stream: Eicar FOUND': { scan: 'quarantined', finding: 'Eicar' },
    'INSTREAM size limit exceeded. ERROR': { scan: 'unscanned', finding: null },
  };
  for (const [reply, verdict] of Object.entries(replies)) {
    const { scanner, closed } = await scannerOf(
      context,
      (socket) => socket.resume().once('data', () => socket.write(`${reply}\0`)),
      PATIENT,
    );
    const scan = scanner.begin();
    await scan.send(Buffer.from('a'));
    await closed;
    assert.deepEqual(await scan.end(), verdict);
  }
});

test('a reply of more than 4 KiB is no verdict', async (context) => {
  const { scanner } = await scannerOf(
    context,
    (socket) => socket.resume().once('data', () => socket.write(`stream: ${'x'.repeat(5_000)} FOUND\0`)),
    PATIENT,
  );
  const scan = scanner.begin();
  await scan.send(Buffer.from('a'));
  assert.deepEqual(await scan.end(), PENDING);
});
