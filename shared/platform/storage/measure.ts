import { createHash } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import type { Written } from './storage.ts';

/** Counts and hashes bytes. */
export class Meter {
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  #size = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Errors: `body_too_large` beyond the limit. */
  add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#limit) throw tooLarge(this.#limit);
    this.#hash.update(bytes);
  }

  /** What was added; asked once, at the end. */
  written(): Written {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }
}

/** A file has more bytes than it may have. */
export function tooLarge(limit: number): Failure {
  return new Failure('body_too_large', {
    detail: { en: `The file may have ${megabytes(limit)}`, ja: `ファイルの上限は${megabytes(limit)}です` },
  });
}

function megabytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
