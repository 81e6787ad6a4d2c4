import {
  access,
  constants,
  type FileHandle,
  open,
  opendir,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { blocksOf } from './blocks.ts';
import { abandonBody, type Body } from './body.ts';
import { isAbsent, unread, unwritten } from './disk-trouble.ts';
import { makeFolder } from './folder.ts';
import { requireKey } from './key.ts';
import { Meter } from './measure.ts';
import { OutgoingFile } from './outgoing-file.ts';
import { pieceOf } from './piece.ts';
import {
  type ByteRange,
  type FilePart,
  type Piece,
  PieceMisplaced,
  type PieceOptions,
  type Storage,
  StoredFileMissing,
  type WriteOptions,
  type Written,
} from './storage.ts';

/** What a file is called until it is whole. No key ends so. */
const UNFINISHED = '.part';

/** One block is written while the next arrives. */
const BLOCKS = { size: 512 * 1024, buffers: 2 };

/** Bytes that are read ahead for who works on a file. */
const READ_AHEAD = 256 * 1024;

/** Files below a folder. What was written is on the disk itself, not only in a cache, once `write` has answered. */
export function diskStorage(folder: string): Storage {
  const pathOf = (key: string) => join(folder, requireKey(key));
  return {
    write: (key, body, options) => write(pathOf(key), body, options),
    put: (key, bytes) => put(pathOf(key), bytes),
    is_near: true,
    read: (key, range) => read(pathOf(key), range),
    outgoing: (key, part) => outgoing(pathOf(key), part),
    signedUrl: async () => null,
    stat: (key) => statOf(pathOf(key)),
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await rm(path + UNFINISHED, { force: true });
    },
    check: () => check(folder),
    received: (key) => received(pathOf(key)),
    append: (key, at, body, options) => append(pathOf(key), at, body, options),
    finish: (key, size) => finish(pathOf(key), size),
  };
}

async function write(path: string, body: Body, { limit, accept }: WriteOptions): Promise<Written> {
  const unfinished = path + UNFINISHED;
  const meter = new Meter(limit);
  try {
    await using file = await openNew(unfinished);
    await writeBlocks(file, 0, measured(blocksOf(body, BLOCKS), meter));
    const written = meter.written();
    accept?.(written);
    await file.sync();
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    abandonBody(body);
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw unwritten(error, 'nothing');
  }
}

/** Without another name until it is whole, which would be one more thing to flush: nobody looks at it before. */
async function put(path: string, bytes: Buffer): Promise<void> {
  try {
    await using file = await openNew(path);
    await writeAt(file, bytes, 0);
    await Promise.all([file.sync(), syncFolder(dirname(path))]);
  } catch (error) {
    throw unwritten(error, 'nothing');
  }
}

async function* measured(blocks: AsyncIterable<Buffer>, meter: Meter): AsyncGenerator<Buffer> {
  for await (const block of blocks) {
    meter.add(block);
    yield block;
  }
}

/** Writes one block while the next one is awaited. Answers where the last one ends. */
async function writeBlocks(file: FileHandle, at: number, blocks: AsyncIterable<Buffer>): Promise<number> {
  let end = at;
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const block of blocks) {
      await writing;
      writing = writeAt(file, block, end);
      // Another error may come first, and nobody would wait for this one.
      writing.catch(() => undefined);
      end += block.length;
    }
  } finally {
    await writing;
  }
  return end;
}

/** A disk may take less than it was given. */
async function writeAt(file: FileHandle, block: Buffer, at: number): Promise<void> {
  for (let done = 0; done < block.length; ) {
    const { bytesWritten } = await file.write(block, done, block.length - done, at + done);
    done += bytesWritten;
  }
}

async function read(path: string, range?: ByteRange): Promise<Readable> {
  const file = await openKept(path);
  return file.createReadStream({ ...range, highWaterMark: READ_AHEAD });
}

async function outgoing(path: string, part: FilePart): Promise<Readable> {
  return new OutgoingFile(await openKept(path), part);
}

function openKept(path: string): Promise<FileHandle> {
  return open(path).catch((error) => {
    throw isAbsent(error) ? new StoredFileMissing(path) : unread(error);
  });
}

async function statOf(path: string): Promise<{ size: number } | null> {
  try {
    const { size } = await stat(path);
    return { size };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw unread(error);
  }
}

/** What a killed process wrote may be in a cache alone: it is flushed before anybody is told of it. */
async function received(path: string): Promise<number> {
  try {
    await using file = await open(path + UNFINISHED, 'r+');
    await file.sync();
    return (await file.stat()).size;
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw unwritten(error, 'arrived');
  }
}

async function append(
  path: string,
  at: number,
  body: AsyncIterable<Buffer>,
  options: PieceOptions,
): Promise<Piece> {
  try {
    await makeFolder(dirname(path));
    await using file = await open(path + UNFINISHED, constants.O_RDWR | constants.O_CREAT, 0o600);
    const { size } = await file.stat();
    if (size !== at) throw new PieceMisplaced(path, size);
    const piece = pieceOf(body, at, options);
    await writeBlocks(file, at, blocksOf(piece.chunks, BLOCKS));
    await file.sync();
    if (at === 0) await syncFolder(dirname(path));
    return piece.ended();
  } catch (error) {
    throw unwritten(error, 'arrived');
  }
}

async function finish(path: string, size: number): Promise<void> {
  const unfinished = path + UNFINISHED;
  try {
    if (size === 0) await makeEmpty(unfinished, path);
    const arrived = (await statOf(unfinished)) ?? (await statOf(path));
    if (arrived?.size !== size) throw new StoredFileMissing(path);
    await rename(unfinished, path).catch((error) => {
      if (!isAbsent(error)) throw error;
    });
    await syncFolder(dirname(path));
  } catch (error) {
    throw unwritten(error, 'arrived');
  }
}

/** A file of no bytes has no pieces. */
async function makeEmpty(unfinished: string, path: string): Promise<void> {
  await makeFolder(dirname(path));
  await using file = await open(unfinished, 'a', 0o600);
  await file.sync();
}

/** Makes the folder, as the first file would. */
async function check(folder: string): Promise<void> {
  await makeFolder(folder);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail } = await statfs(folder);
  if (bavail === 0) throw new Error(`the disk of ${folder} is full`);
  await requireOwn(folder);
}

/** Folders of organizations that a check looks at. */
const MOST_LOOKED_AT = 16;

/** A copy by another account gives it the folders of all organizations: the first ones tell. */
async function requireOwn(folder: string): Promise<void> {
  let looked_at = 0;
  for await (const entry of await opendir(folder)) {
    if (!entry.isDirectory() || !entry.name.startsWith('org_')) continue;
    await access(join(folder, entry.name), constants.R_OK | constants.W_OK | constants.X_OK);
    looked_at += 1;
    if (looked_at === MOST_LOOKED_AT) return;
  }
}

/** Opens a file to be written from its beginning. Its folder is there, but for the first file in it. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w', 0o600);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await makeFolder(dirname(path));
    return open(path, 'w', 0o600);
  }
}

type Flush = { running: Promise<void>; next: Promise<void> | null };

/** The flushes of folders that have begun, and the one behind each that has not. */
const flushes = new Map<string, Flush>();

/** A rename is lasting once its folder has reached the disk. Those who come during a flush share the next one. */
function syncFolder(folder: string): Promise<void> {
  const flush = flushes.get(folder);
  if (!flush) return beginFlush(folder);
  flush.next ??= flush.running.catch(() => undefined).then(() => beginFlush(folder));
  return flush.next;
}

async function beginFlush(folder: string): Promise<void> {
  const flush: Flush = { running: flushFolder(folder), next: null };
  flushes.set(folder, flush);
  try {
    await flush.running;
  } finally {
    if (flush.next === null) flushes.delete(folder);
  }
}

async function flushFolder(folder: string): Promise<void> {
  await using opened = await open(folder);
  await opened.sync();
}
