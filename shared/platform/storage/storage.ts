import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Body } from './body.ts';

/** Where the bytes of files are: a folder or an S3 store. Keys are paths with `/` between their parts. */
export type Storage = {
  /**
   * Stores all of `body` under a new key, or nothing. `limit` is in bytes, `sha256` in hexadecimal.
   * Errors: `body_too_large`; `unavailable` when the disk or the store is full or away; whatever `body` fails with, or
   * `accept` throws, which sees what was written before anybody else does.
   */
  write(key: string, body: Body, options: WriteOptions): Promise<Written>;
  /**
   * Stores a small file whose bytes are at hand under a new key that nothing names before this has answered. What is there
   * after an error, or a process that ended, goes by `remove`. Errors: `unavailable`, as for `write`.
   */
  put(key: string, bytes: Buffer): Promise<void>;
  /** Whether what is put is there within milliseconds, so that a transaction may wait for it. */
  is_near: boolean;
  /** The bytes, from `start` to `end` inclusive where a range is given. Throws StoredFileMissing. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Bytes that are sent to a caller: a stream that is piped into an answer, and nowhere else. It breaks where the file has
   * fewer. Throws StoredFileMissing.
   */
  outgoing(key: string, part: FilePart): Promise<Readable>;
  /**
   * A URL of the store itself that gives the file to whoever has it, for that long; null where the store has none. The
   * store is not asked whether the file is there.
   */
  signedUrl(key: string, file: SignedFile): Promise<string | null>;
  /** The bytes that the file has; null where there is none. */
  stat(key: string): Promise<{ size: number } | null>;
  /** Removes the file and what broken writes and pieces left; a missing file is not an error. */
  remove(key: string): Promise<void>;
  /** Looks whether files can be kept at all. Throws the reason why not. */
  check(): Promise<void>;
} & Pieces;

/**
 * Files that arrive in pieces, each through any process. The store itself knows how far one has come, and has it as
 * safe as a whole file. One piece of a key arrives at a time: its sender's side sees to that, and calls of `finish` and
 * `remove` come after it.
 */
export type Pieces = {
  /** How many bytes have arrived: never fewer than were answered before, however a process ended. 0 for an unknown key. */
  received(key: string): Promise<number>;
  /**
   * Adds what `body` brings to the `at` bytes that have arrived. What came before the body broke, or before the limit,
   * counts too. Errors: `PieceMisplaced`; `unavailable`, after which `received` tells what has arrived, and `hash`
   * is worth nothing.
   */
  append(key: string, at: number, body: AsyncIterable<Buffer>, options: PieceOptions): Promise<Piece>;
  /** Makes the pieces the file of the key; a second call changes nothing. Throws StoredFileMissing for another size. */
  finish(key: string, size: number): Promise<void>;
};

/** How a file is answered at its own URL: the headers Content-Disposition and Content-Type. */
export type SignedFile = { disposition: string; media_type: string; seconds: number };

export type WriteOptions = { limit: number; accept?: (written: Written) => void };

/** `limit` bounds all pieces together, in bytes; `hash` is given the bytes that are kept. */
export type PieceOptions = { limit: number; hash?: Hash };

/** How many bytes have arrived by now, and with what the body broke, if it did: its own error, or `body_too_large`. */
export type Piece = { received: number; broken: unknown };

/** Another number of bytes has arrived than the piece begins at. */
export class PieceMisplaced extends Error {
  override name = 'PieceMisplaced';
  readonly received: number;

  constructor(key: string, received: number) {
    super(`${key} has ${received} bytes`);
    this.received = received;
  }
}

/** What was stored: bytes, and SHA-256 in hexadecimal. */
export type Written = { size: number; sha256: string };

export type ByteRange = { start: number; end?: number };

/** `length` bytes from `start` on; `is_whole` when the file has no others. */
export type FilePart = { start: number; length: number; is_whole: boolean };

/** The store holds nothing under the key. */
export class StoredFileMissing extends Error {
  override name = 'StoredFileMissing';
}
