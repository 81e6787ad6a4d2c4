import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { openStorage } from '../../../../shared/platform/storage/open.ts';
import { PieceMisplaced, StoredFileMissing } from '../../../../shared/platform/storage/storage.ts';
import { patternBytes } from '../../../support/sending-pieces.ts';
import { bothStores, breakingAfter, chunked, type TestStore } from '../../../support/stores.ts';

const MiB = 1024 * 1024;
const limit = 100 * MiB;

for (const store of await bothStores()) {
  const { name, storage, left, settings } = store;

  describe(`Pieces in ${name}`, () => {
    test('that break anywhere make the file whole, whoever takes the next', async () => {
      const bytes = randomBytes(21 * MiB + 12_345);
      const key = 'org_a/uploads/broken';
      const hash = createHash('sha256');
      for (let at = 0; at < bytes.length; ) {
        const another = await openStorage(settings);
        assert.equal(await another.received(key), at);
        const end = Math.min(bytes.length, at + randomInt(1, 9 * MiB));
        const broken = new Error('The line is cut');
        const body = breakingAfter(bytes.subarray(at, end), broken);
        const piece = await another.append(key, at, body, { limit, hash });
        assert.deepEqual(piece, { received: end, broken });
        assert.equal(await another.stat(key), null, 'nobody reads half a file');
        at = end;
      }
      await storage.finish(key, bytes.length);
      assert.ok((await buffer(await storage.read(key))).equals(bytes));
      assert.equal(hash.digest('hex'), createHash('sha256').update(bytes).digest('hex'));
      await storage.remove(key);
    });

    test('that end where a part of S3 does', async () => {
      const bytes = randomBytes(16 * MiB);
      const key = 'org_a/uploads/even';
      for (const at of [0, 8 * MiB]) {
        const body = chunked(bytes.subarray(at, at + 8 * MiB));
        const piece = await storage.append(key, at, body, { limit });
        assert.deepEqual(piece, { received: at + 8 * MiB, broken: null });
      }
      await storage.finish(key, bytes.length);
      assert.ok((await buffer(await storage.read(key))).equals(bytes));
      await storage.remove(key);
    });

    test('without a byte change nothing', async () => {
      const before = left();
      const piece = await storage.append('org_a/none', 0, chunked(Buffer.alloc(0)), { limit });
      assert.deepEqual(piece, { received: 0, broken: null });
      assert.equal(await storage.received('org_a/none'), 0);
      await storage.remove('org_a/none');
      assert.deepEqual(left(), before);
    });

    test('end at the limit of the file', async () => {
      const key = 'org_a/uploads/limited';
      await storage.append(key, 0, chunked(Buffer.alloc(700)), { limit: 1000 });
      const { received, broken } = await storage.append(key, 700, chunked(Buffer.alloc(900)), {
        limit: 1000,
      });
      assert.equal(received, 1000);
      assert.ok(broken instanceof Failure && broken.code === 'body_too_large');
      assert.equal(await storage.received(key), 1000);
      await storage.remove(key);
    });

    test('come one after the other', async () => {
      const key = 'org_a/uploads/misplaced';
      await storage.append(key, 0, chunked(Buffer.alloc(10)), { limit });
      for (const at of [0, 9, 11, 10 * MiB]) {
        const misplaced = storage.append(key, at, chunked(Buffer.alloc(10)), { limit });
        await assert.rejects(misplaced, (error) => error instanceof PieceMisplaced && error.received === 10);
      }
      assert.equal(await storage.received(key), 10);
      await storage.remove(key);
    });

    test('become a file of the announced length alone, and once', async () => {
      for (const size of [10, 9 * MiB]) {
        const key = `org_a/uploads/finished_${size}`;
        const bytes = randomBytes(size);
        await storage.append(key, 0, chunked(bytes), { limit });
        for (const wrong of [0, size - 1, size + 1])
          await assert.rejects(storage.finish(key, wrong), StoredFileMissing);
        await storage.finish(key, size);
        await storage.finish(key, size);
        assert.ok((await buffer(await storage.read(key))).equals(bytes));
        await storage.remove(key);
      }
      await assert.rejects(storage.finish('org_a/uploads/unknown', 1), StoredFileMissing);
    });

    test('of an empty file are none', async () => {
      await storage.finish('org_a/uploads/empty', 0);
      await storage.finish('org_a/uploads/empty', 0);
      assert.deepEqual(await storage.stat('org_a/uploads/empty'), { size: 0 });
      await storage.remove('org_a/uploads/empty');
    });

    test('leave nothing when the file is given up', async () => {
      const before = left();
      const key = 'org_a/uploads/given_up';
      await storage.append(key, 0, chunked(randomBytes(9 * MiB)), { limit });
      assert.notDeepEqual(left(), before);
      await storage.remove(key);
      assert.equal(await storage.received(key), 0);
      assert.deepEqual(left(), before);
    });

    test('are never fewer than was answered, though their process is killed', async () => {
      const key = 'org_a/uploads/killed';
      const size = 24 * MiB + 1;
      for (let answered = 0, kills = 0; answered < size; kills++) {
        const least = answered;
        answered = await sentUntil(store, key, size, kills < 4 ? randomInt(1, 4) : Infinity);
        assert.ok(answered >= least, `${answered} bytes after ${least}`);
        if (answered < size) assert.ok((await storage.received(key)) >= answered);
      }
      await storage.finish(key, size);
      assert.ok((await buffer(await storage.read(key))).equals(patternBytes(0, size)));
      await storage.remove(key);
    });
  });
}

/** Lets a process send pieces, and kills it when it has been answered so often. Answers what it was answered last. */
async function sentUntil(
  { settings }: TestStore,
  key: string,
  size: number,
  answers: number,
): Promise<number> {
  const script = new URL('../../../support/sending-pieces.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, JSON.stringify(settings), key, String(size)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = 0;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    count += 1;
    if (count >= answers) child.kill('SIGKILL');
  }
  await exited;
  return last;
}
