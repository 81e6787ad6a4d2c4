import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { openStorage } from '../../../../shared/platform/storage/open.ts';
import { StoredFileMissing } from '../../../../shared/platform/storage/storage.ts';
import { locked } from '../../../support/locked-folder.ts';
import { startS3 } from '../../../support/s3.ts';
import { bothStores, breakingAfter, chunked, filesIn } from '../../../support/stores.ts';

const MiB = 1024 * 1024;
const limit = 100 * MiB;

const folder = mkdtempSync(join(tmpdir(), 'files-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const checksum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

for (const { name, storage, left } of await bothStores()) {
  describe(`${name}`, () => {
    test('gives back what was written, its length and its hash', async () => {
      for (const size of [0, 1, 65_536, 65_537, 3 * MiB, 20 * MiB + 1]) {
        const bytes = randomBytes(size);
        const written = await storage.write(`org_a/uploads/size_${size}`, chunked(bytes), { limit });
        assert.deepEqual(written, { size, sha256: checksum(bytes) });
        assert.deepEqual(await buffer(await storage.read(`org_a/uploads/size_${size}`)), bytes);
      }
    });

    test('gives back what was put at once', async () => {
      for (const size of [0, 1, 10_240, 65_536]) {
        const bytes = randomBytes(size);
        await storage.put(`org_a/put/size_${size}`, bytes);
        assert.deepEqual(await buffer(await storage.read(`org_a/put/size_${size}`)), bytes);
        await storage.remove(`org_a/put/size_${size}`);
      }
      assert.ok(!left().some((path) => path.includes('org_a/put/')));
    });

    test('tells the length of what it has', async () => {
      await storage.write('org_a/long', chunked(randomBytes(3 * MiB)), { limit });
      assert.deepEqual(await storage.stat('org_a/long'), { size: 3 * MiB });
      assert.equal(await storage.stat('org_a/unknown'), null);
    });

    test('shows what was written before it is stored, and keeps nothing of what is not accepted', async () => {
      for (const size of [100, 20 * MiB]) {
        const before = left();
        const bytes = randomBytes(size);
        const refused = new Error('Another file was announced');
        const accept = (written: object) => {
          assert.deepEqual(written, { size, sha256: checksum(bytes) });
          throw refused;
        };
        await assert.rejects(storage.write('org_a/refused', chunked(bytes), { limit, accept }), refused);
        assert.equal(await storage.stat('org_a/refused'), null);
        assert.deepEqual(left(), before);
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
        await assert.rejects(
          storage.write(
            'org_a/broken',
            Readable.from(breakingAfter(randomBytes(size), broken), { objectMode: false }),
            { limit },
          ),
          broken,
        );
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
        await assert.rejects(async () => storage.put(key, randomBytes(1)), /no key/);
        await assert.rejects(async () => storage.read(key), /no key/);
        await assert.rejects(async () => storage.remove(key), /no key/);
      }
    });
  });
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
    const before = filesIn(full);
    await assert.rejects(
      storage.write('org_a/large', chunked(randomBytes(2 * MiB)), { limit }),
      isUnavailable,
    );
    assert.deepEqual(filesIn(full), before);
    await assert.rejects(storage.put('org_a/put', randomBytes(2 * MiB)), isUnavailable);
    await storage.remove('org_a/put');
    await storage.write('org_a/next', chunked(randomBytes(1000)), { limit });

    const piece = (at: number, size: number) =>
      storage.append('org_a/piece', at, chunked(randomBytes(size)), { limit });
    await piece(0, 1000);
    await assert.rejects(piece(1000, 2 * MiB), isUnavailable);
    const received = await storage.received('org_a/piece');
    assert.ok(received >= 1000 && received < 2 * MiB, `${received} bytes`);
    await storage.remove('org_a/next');
    await storage.remove('org_a/small');
    assert.equal((await piece(received, 1)).received, received + 1);
  });

  test('says so: a disk that takes no writes, and why, though its folders are still to be made', async (test) => {
    const kept = join(folder, 'kept');
    mkdirSync(kept);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', kept], { stdio: 'pipe' });
    } catch {
      return test.skip('only root can make a disk that takes no writes');
    }
    test.after(() => execFileSync('umount', [kept]));
    const storage = await openStorage({ dataDir: kept, storageUrl: undefined });
    const why = /^The store of files cannot write: read-only file system \(EROFS\)\.$/;
    await assert.rejects(storage.write('org_a/new', chunked(randomBytes(10)), { limit }), troubled(why));
    await assert.rejects(storage.put('org_a/new', randomBytes(10)), troubled(why));
    await assert.rejects(storage.append('org_a/new', 0, chunked(randomBytes(10)), { limit }), troubled(why));
    await assert.rejects(storage.finish('org_a/new', 0), troubled(why));
    await assert.rejects(storage.check(), { code: 'EROFS' });
  });

  test('says so: files of another account, also to who reads them', async () => {
    const dataDir = join(folder, 'foreign');
    const storage = await openStorage({ dataDir, storageUrl: undefined });
    await storage.write('org_a/there', chunked(randomBytes(10)), { limit });
    await storage.append('org_a/piece', 0, chunked(randomBytes(10)), { limit });
    const cannot = (verb: string) =>
      troubled(new RegExp(`^The store of files cannot ${verb}: permission denied \\(EACCES\\)\\.$`));
    await locked(join(dataDir, 'files', 'org_a'), async () => {
      await assert.rejects(storage.write('org_a/new', chunked(randomBytes(10)), { limit }), cannot('write'));
      await assert.rejects(storage.put('org_a/new', randomBytes(10)), cannot('write'));
      await assert.rejects(
        storage.append('org_a/piece', 10, chunked(randomBytes(1)), { limit }),
        cannot('write'),
      );
      await assert.rejects(storage.received('org_a/piece'), cannot('write'));
      await assert.rejects(storage.finish('org_a/piece', 10), cannot('read'));
      await assert.rejects(storage.read('org_a/there'), cannot('read'));
      const part = { start: 0, length: 10, is_whole: true };
      await assert.rejects(storage.outgoing('org_a/there', part), cannot('read'));
      await assert.rejects(storage.stat('org_a/there'), cannot('read'));
    });
    assert.deepEqual(await storage.stat('org_a/there'), { size: 10 });
    assert.equal(await storage.received('org_a/piece'), 10);
  });

  test('is told by its check where the folder of an organization alone takes nothing', async (test) => {
    const dataDir = join(folder, 'restored');
    const storage = await openStorage({ dataDir, storageUrl: undefined });
    await storage.write('org_a/there', chunked(randomBytes(10)), { limit });
    await storage.check();
    const path = join(dataDir, 'files', 'org_a');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', path], { stdio: 'pipe' });
    } catch {
      return test.skip('only root can make a folder that root cannot write');
    }
    test.after(() => execFileSync('umount', [path]));
    await assert.rejects(storage.check(), { code: 'EROFS', path });
  });

  test('says so: an S3 store that is away', async () => {
    const gone = await startS3();
    const storage = await openStorage({ dataDir: folder, storageUrl: gone.url });
    await storage.write('org_a/there', chunked(randomBytes(1000)), { limit });
    await storage.append('org_a/piece', 0, chunked(randomBytes(1000)), { limit });
    await gone.stop();
    await assert.rejects(storage.received('org_a/piece'), isUnavailable);
    await assert.rejects(
      storage.append('org_a/piece', 1000, chunked(randomBytes(1)), { limit }),
      isUnavailable,
    );
    await assert.rejects(storage.finish('org_a/piece', 1000), isUnavailable);
    await assert.rejects(storage.stat('org_a/there'), isUnavailable);
    await assert.rejects(storage.write('org_a/large', chunked(randomBytes(MiB)), { limit }), isUnavailable);
    await assert.rejects(storage.put('org_a/small', randomBytes(10)), isUnavailable);
    await assert.rejects(storage.read('org_a/there'), isUnavailable);
  });
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'unavailable';
}

/** Whether operators are told of the storage so. */
function troubled(sentence: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(isUnavailable(error), String(error));
    const { trouble } = (error as Failure).details;
    assert.equal(trouble?.kind, 'storage');
    assert.match(trouble!.sentence, sentence);
    return true;
  };
}
