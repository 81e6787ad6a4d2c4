import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { openStorage } from '../../../../shared/platform/storage/open.ts';
import { type Storage, StoredFileMissing } from '../../../../shared/platform/storage/storage.ts';
import { startS3 } from '../../../support/s3.ts';

const MiB = 1024 * 1024;
const limit = 100 * MiB;

const folder = mkdtempSync(join(tmpdir(), 'files-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const s3 = await startS3();

type Store = { name: string; storage: Storage; left: () => string[] };

const stores: Store[] = [
  {
    name: 'a folder',
    storage: await openStorage({ dataDir: folder, storageUrl: undefined }),
    left: () => files(folder),
  },
  {
    name: 'an S3 store',
    storage: await openStorage({ dataDir: folder, storageUrl: s3.url }),
    left: s3.objects,
  },
];

for (const { name, storage, left } of stores) {
  describe(`${name}`, () => {
    test('gives back what was written, its length and its hash', async () => {
      for (const size of [0, 1, 3 * MiB, 20 * MiB + 1]) {
        const bytes = randomBytes(size);
        const written = await storage.write(`org_a/uploads/size_${size}`, chunked(bytes), { limit });
        assert.deepEqual(written, { size, sha256: createHash('sha256').update(bytes).digest('hex') });
        assert.deepEqual(await buffer(await storage.read(`org_a/uploads/size_${size}`)), bytes);
      }
    });

    test('gives a part of it', async () => {
      const bytes = randomBytes(1000);
      await storage.write('org_a/part', chunked(bytes), { limit });
      const part = async (range: { start: number; end?: number }) =>
        buffer(await storage.read('org_a/part', range));
      assert.deepEqual(await part({ start: 1, end: 1 }), bytes.subarray(1, 2));
      assert.deepEqual(await part({ start: 100, end: 199 }), bytes.subarray(100, 200));
      assert.deepEqual(await part({ start: 990 }), bytes.subarray(990));
    });

    test('says that nothing is there', async () => {
      await assert.rejects(storage.read('org_a/absent'), StoredFileMissing);
    });

    test('removes, and does not mind that nothing is there', async () => {
      await storage.write('org_a/removed', chunked(randomBytes(10)), { limit });
      await storage.remove('org_a/removed');
      await storage.remove('org_a/removed');
      await assert.rejects(storage.read('org_a/removed'), StoredFileMissing);
    });

    test('keeps nothing of what is larger than its limit', async () => {
      for (const size of [101, 20 * MiB]) {
        const before = left();
        const writing = storage.write('org_a/large', chunked(randomBytes(size)), { limit: size - 1 });
        await assert.rejects(writing, (error) => error instanceof Failure && error.code === 'body_too_large');
        await assert.rejects(storage.read('org_a/large'), StoredFileMissing);
        assert.deepEqual(left(), before);
      }
    });

    test('keeps nothing of what breaks off, and tells its error', async () => {
      for (const size of [100, 20 * MiB]) {
        const before = left();
        const broken = new Error('The sender has gone');
        await assert.rejects(storage.write('org_a/broken', breaking(size, broken), { limit }), broken);
        await assert.rejects(storage.read('org_a/broken'), StoredFileMissing);
        assert.deepEqual(left(), before);
      }
    });

    test('takes no key that leads elsewhere', async () => {
      for (const key of [
        '../out',
        'a/../../out',
        '/etc/passwd',
        'a//b',
        '',
        'a/.',
        'a.part',
        'a\\b',
        'a\0b',
      ]) {
        await assert.rejects(async () => storage.write(key, chunked(randomBytes(1)), { limit }), /no key/);
        await assert.rejects(async () => storage.read(key), /no key/);
        await assert.rejects(async () => storage.remove(key), /no key/);
      }
    });
  });
}

function chunked(bytes: Buffer): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    })(),
    { objectMode: false },
  );
}

function breaking(size: number, error: Error): Readable {
  return Readable.from(
    (function* () {
      yield randomBytes(size);
      throw error;
    })(),
    { objectMode: false },
  );
}

function files(root: string): string[] {
  if (!existsSync(root)) return [];
  const entries = globSync('**', { cwd: root, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe('a store that cannot take a file', () => {
  test('says so, and keeps nothing: a full disk', async (test) => {
    const full = join(folder, 'full');
    mkdirSync(full);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', full], { stdio: 'pipe' });
    } catch {
      return test.skip('only root can make a disk that is soon full');
    }
    test.after(() => execFileSync('umount', [full]));
    const storage = await openStorage({ dataDir: full, storageUrl: undefined });
    await storage.write('org_a/small', chunked(randomBytes(1000)), { limit });
    const before = files(full);
    await assert.rejects(
      storage.write('org_a/large', chunked(randomBytes(2 * MiB)), { limit }),
      isUnavailable,
    );
    assert.deepEqual(files(full), before);
    await storage.write('org_a/next', chunked(randomBytes(1000)), { limit });
  });

  test('says so: an S3 store that is away', async () => {
    const gone = await startS3();
    const storage = await openStorage({ dataDir: folder, storageUrl: gone.url });
    await storage.write('org_a/there', chunked(randomBytes(1000)), { limit });
    await gone.stop();
    await assert.rejects(storage.write('org_a/large', chunked(randomBytes(MiB)), { limit }), isUnavailable);
    await assert.rejects(storage.read('org_a/there'), isUnavailable);
  });
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'unavailable';
}
