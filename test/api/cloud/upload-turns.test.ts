import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openStorage } from '../../../shared/platform/storage/open.ts';
import type { Storage } from '../../../shared/platform/storage/storage.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { freshDatabase } from '../../support/database.ts';
import { patching, sha256, tusOf } from '../../support/tus.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const database = await freshDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'turns-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const disk = await openStorage({ dataDir, storageUrl: undefined });
/** Bytes that the store has been given. */
let taken = 0;
const storage: Storage = {
  ...disk,
  append: (key, at, body, options) => disk.append(key, at, counted(body), options),
};

async function* counted(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    taken += chunk.length;
    yield chunk;
  }
}

/** Two processes of the service, as far as one knows of the other. */
const one = await startApp({ database, storage });
const two = await startApp({ database, storage });
after(() => database.drop());

/** The office through the second process. */
async function twice(): Promise<{
  office: Office;
  other: Pick<Office, 'send'>;
  id: string;
  content: Buffer;
}> {
  const office = await newOffice(one);
  const headers = { Authorization: `Bearer ${office.actor.secret}` };
  const other: Pick<Office, 'send'> = {
    send: (method, path, body, more = {}) => two.anonymous.send(method, path, body, { ...headers, ...more }),
  };
  const content = randomBytes(1_000_000);
  const id = await tusOf(office).begin(content.length);
  return { office, other, id, content };
}

/** Sends a part of what a PATCH announces, and waits until it is taken; then the line is silent. */
async function halfSent(
  office: Office,
  id: string,
  content: Buffer,
  { at = 0, count = 700_000, app = one } = {},
) {
  const socket = await patching(app.base_url, { actor: office.actor, id, at, length: content.length - at });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const before = taken;
  socket.write(content.subarray(at, at + count));
  await until('the piece arrives', () => taken - before === count);
  return { socket, answer: () => text };
}

async function contentOf(office: Office, file_id: string | null): Promise<string> {
  const response = await fetch(`${one.base_url}/api/v1/cloud/files/${file_id}/content`, {
    headers: { Authorization: `Bearer ${office.actor.secret}` },
  });
  return sha256(new Uint8Array(await response.arrayBuffer()));
}

describe('the turn at an upload', () => {
  test('goes to a HEAD in another process, and what the older PATCH brought counts', async () => {
    const { office, other, id, content } = await twice();
    const { socket, answer } = await halfSent(office, id, content);
    const head = await tusOf(other).head(id);
    assert.deepEqual([head.status, head.headers.get('upload-offset')], [200, '700000']);
    await until('the older one is refused', () => answer().startsWith('HTTP/1.1 423'));
    assert.match(answer(), /upload_locked/);
    socket.destroy();
    const rest = await tusOf(other).patch(id, 700_000, content.subarray(700_000));
    assert.deepEqual([rest.status, rest.headers.get('cloud-file-id')], [204, null]);
    assert.equal((await tusOf(office).read(id)).status, 'completing');
  });

  test('goes to a PATCH in another process, also where that begins elsewhere', async () => {
    const { office, other, id, content } = await twice();
    const { socket } = await halfSent(office, id, content);
    const early = await tusOf(other).patch(id, 0, content);
    assert.deepEqual([early.status, early.body.code, early.body.offset], [409, 'offset_mismatch', 700_000]);
    socket.destroy();
    const again = await halfSent(office, id, content, { at: 700_000, count: 100_000 });
    again.socket.destroy();
    await until('the broken line is noticed', async () => (await tusOf(office).read(id)).offset === 800_000);
    const last = await tusOf(office).patch(id, 800_000, content.subarray(800_000));
    assert.equal(last.status, 204);
    assert.equal(await contentOf(office, last.headers.get('cloud-file-id')), sha256(content));
  });

  test('goes to a DELETE, which leaves nothing', async () => {
    const { office, other, id, content } = await twice();
    const { answer } = await halfSent(office, id, content);
    assert.equal((await tusOf(other).end(id)).status, 204);
    await until('the older one is refused', () => answer().startsWith('HTTP/1.1 423'));
    assert.equal((await tusOf(office).read(id)).status, 'aborted');
    assert.equal((await office.get('/cloud/usage')).body.usage.reserved_bytes, 0);
  });

  test('is asked for again and again by two who send the same file, and every byte is right', async () => {
    const { office, other, id, content } = await twice();
    /** Sends pieces from where the upload is until it is complete. */
    async function send(tus: ReturnType<typeof tusOf>): Promise<void> {
      for (;;) {
        const head = await tus.head(id);
        if (head.status === 423) continue;
        const at = Number(head.headers.get('upload-offset'));
        if (at === content.length) return;
        const piece = content.subarray(at, at + 50_000);
        const { status } = await tus.patch(id, at, piece).catch(() => ({ status: 0 }));
        assert.ok([0, 204, 409, 423].includes(status), String(status));
      }
    }
    await Promise.all([send(tusOf(office)), send(tusOf(other))]);
    await startWorkers({ DATABASE_URL: database.url, DATA_DIR: dataDir }, ['--queues', 'storage']);
    const done = await until('it is completed', async () => {
      const upload = await tusOf(office).read(id);
      return upload.status === 'completed' && upload;
    });
    assert.equal(await contentOf(office, done.result_file_id), sha256(content));
    const head = await tusOf(other).head(id);
    assert.equal(head.headers.get('cloud-file-id'), done.result_file_id);
    assert.deepEqual(await office.names(), ['a.bin']);
  });
});

describe('an older PATCH', () => {
  test('whose bytes the store does not take is waited for, then 423', async () => {
    const held = Promise.withResolvers<void>();
    const kept = Promise.withResolvers<void>();
    const slow: Storage = {
      ...storage,
      async append(...piece) {
        const appended = await storage.append(...piece);
        kept.resolve();
        await held.promise;
        return appended;
      },
    };
    const app = await startApp({ database, storage: slow, time_limits: { takeover: 200 } });
    const office = await newOffice(app);
    const tus = tusOf(office);
    const id = await tus.begin(6);
    const patched = tus.patch(id, 0, 'abc');
    await kept.promise;
    for (const reply of [await tus.head(id), await tus.patch(id, 3, 'def'), await tus.end(id)]) {
      assert.deepEqual([reply.status, reply.headers.get('retry-after')], [423, '1']);
    }
    held.resolve();
    assert.equal((await patched).status, 204);
    assert.equal((await tus.head(id)).headers.get('upload-offset'), '3');
  });

  test('ends with the process, which answers 503, keeps what arrived, and logs no outage', async () => {
    const ending = new AbortController();
    const app = await startApp({ database, storage });
    Object.assign(app.context, { ending: ending.signal });
    const faults: unknown[] = [];
    Object.assign(app.context.log, { error: (...fault: unknown[]) => faults.push(fault) });
    const office = await newOffice(app);
    const content = randomBytes(10);
    const id = await tusOf(office).begin(10);
    const { socket, answer } = await halfSent(office, id, content, { app, count: 3 });
    ending.abort();
    await until('it is answered', () => answer().startsWith('HTTP/1.1 503'));
    await until('the answer says where to go on', () => answer().includes('This process ends. Ask by HEAD'));
    socket.destroy();
    assert.equal((await tusOf(office).read(id)).offset, 3);
    assert.deepEqual(faults, [], 'an end at its time is no outage');
  });
});
