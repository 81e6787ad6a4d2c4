import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../kernel/failure.ts';
import { systemReason } from '../../kernel/startup-error.ts';
import { requireKey } from './key.ts';
import { Measure } from './measure.ts';
import { type ByteRange, type Storage, StoredFileMissing, type Written } from './storage.ts';

/** What a file is called until it is whole. No key ends so. */
const UNFINISHED = '.part';

/** Files below a folder. What was written is on the disk itself, not only in a cache, once `write` has answered. */
export function diskStorage(folder: string): Storage {
  const pathOf = (key: string) => join(folder, requireKey(key));
  return {
    write: (key, body, { limit }) => write(pathOf(key), body, limit),
    read: (key, range) => read(pathOf(key), range),
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await rm(path + UNFINISHED, { force: true });
    },
    check: () => check(folder),
  };
}

async function write(path: string, body: Readable, limit: number): Promise<Written> {
  const unfinished = path + UNFINISHED;
  const measure = new Measure(limit);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(body, measure, file);
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return measure.written();
  } catch (error) {
    body.destroy();
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw isDisk(error) ? unavailable(error) : error;
  }
}

async function read(path: string, range?: ByteRange): Promise<Readable> {
  const file = await open(path).catch((error) => {
    throw error.code === 'ENOENT' ? new StoredFileMissing(path) : error;
  });
  return file.createReadStream(range);
}

/** Makes the folder, as the first file would. */
async function check(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail } = await statfs(folder);
  if (bavail === 0) throw new Error(`the disk of ${folder} is full`);
}

/** A rename is lasting once its folder has reached the disk. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

const DISK = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM']);

function isDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK.has(String(error.code));
}

function unavailable(cause: unknown): Failure {
  return new Failure('unavailable', {
    detail: {
      en: 'The file could not be stored; nothing of it was kept',
      ja: 'ファイルを保存できませんでした。内容は残っていません',
    },
    headers: { 'Retry-After': '60' },
    cause,
    trouble: { kind: 'storage', sentence: `The store of files cannot write: ${systemReason(cause)}.` },
  });
}
