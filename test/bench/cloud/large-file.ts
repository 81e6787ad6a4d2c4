import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const PART = 8 * 1024 * 1024;

/** Writes a file of so many bytes, no part of which is like another; answers its path. */
export async function largeFile(path: string, size: number): Promise<string> {
  await pipeline(Readable.from(partsOf(size)), createWriteStream(path));
  return path;
}

function* partsOf(size: number): Generator<Buffer> {
  const part = randomBytes(PART);
  for (let at = 0; at < size; at += PART) {
    part.writeUInt32BE(at / PART);
    yield Buffer.from(part.subarray(0, Math.min(PART, size - at)));
  }
}
