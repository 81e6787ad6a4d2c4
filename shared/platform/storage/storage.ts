import type { Readable } from 'node:stream';

/** Where the bytes of files are: a folder or an S3 store. Keys are paths with `/` between their parts. */
export type Storage = {
  /**
   * Stores all of `body` under a new key, or nothing. `limit` is in bytes, `sha256` in hexadecimal.
   * Errors: `body_too_large`; `unavailable` when the disk or the store is full or away; whatever `body` fails with.
   */
  write(key: string, body: Readable, options: { limit: number }): Promise<Written>;
  /** The bytes, from `start` to `end` inclusive where a range is given. Throws StoredFileMissing. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Removes the file and what a broken write left; a missing file is not an error. */
  remove(key: string): Promise<void>;
  /** Looks whether files can be kept at all. Throws the reason why not. */
  check(): Promise<void>;
};

/** What was stored: bytes, and SHA-256 in hexadecimal. */
export type Written = { size: number; sha256: string };

export type ByteRange = { start: number; end?: number };

/** The store holds nothing under the key. */
export class StoredFileMissing extends Error {
  override name = 'StoredFileMissing';
}
