import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { Failure } from '../../kernel/failure.ts';
import type { Written } from './storage.ts';

/** Lets bytes through, counts and hashes them, and ends with `body_too_large` beyond the limit. */
export class Measure extends Transform {
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  #size = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      done(
        new Failure('body_too_large', {
          detail: {
            en: `The file may have ${megabytes(this.#limit)}`,
            ja: `ファイルの上限は${megabytes(this.#limit)}です`,
          },
        }),
      );
      return;
    }
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** What went through; asked once, at the end. */
  written(): Written {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }
}

function megabytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
