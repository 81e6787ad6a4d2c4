import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after } from 'node:test';
import { openStorage } from '../../shared/platform/storage/open.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { startS3 } from './s3.ts';

export type TestStore = {
  name: string;
  /** What opens it, in another process too. */
  settings: { dataDir: string; storageUrl: string | undefined };
  storage: Storage;
  /** The files or objects in it, finished or not, in order. */
  left(): string[];
};

/** A folder and an S3 store of their own, which end with the test file. */
export async function bothStores(): Promise<TestStore[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'files-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  const s3 = await startS3();
  const onDisk = { dataDir, storageUrl: undefined };
  const onS3 = { dataDir, storageUrl: s3.url };
  return [
    { name: 'a folder', settings: onDisk, storage: await openStorage(onDisk), left: () => filesIn(dataDir) },
    { name: 'an S3 store', settings: onS3, storage: await openStorage(onS3), left: s3.objects },
  ];
}

/** The paths of all files below a folder, in order. */
export function filesIn(root: string): string[] {
  if (!existsSync(root)) return [];
  const entries = globSync('**', { cwd: root, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The bytes as a stream of chunks, as a socket gives them. */
export function chunked(bytes: Buffer): Readable {
  return Readable.from(chunksOf(bytes), { objectMode: false });
}

/** The chunks of the bytes, and then the error. */
export async function* breakingAfter(bytes: Buffer, error: Error): AsyncGenerator<Buffer> {
  yield* chunksOf(bytes);
  throw error;
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
