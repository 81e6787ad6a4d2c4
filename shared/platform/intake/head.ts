import { Transform, type TransformCallback } from 'node:stream';

/** Bytes that are looked at: enough for the header of a table, and for the signature of anything. */
export const HEAD = 1024 * 1024;

/** Lets bytes through, and holds the first 1 MiB. `judge` sees those once, and what it throws ends the stream. */
export class Head extends Transform {
  readonly #chunks: Buffer[] = [];
  readonly #judge: (head: Buffer) => void;
  #size = 0;
  #is_judged = false;

  constructor(judge: (head: Buffer) => void = () => undefined) {
    super();
    this.#judge = judge;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (this.#size < HEAD) {
      this.#chunks.push(chunk.subarray(0, HEAD - this.#size));
      this.#size += Math.min(chunk.length, HEAD - this.#size);
    }
    done(this.#size === HEAD ? this.#judged() : null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(this.#judged());
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  #judged(): Error | null {
    if (this.#is_judged) return null;
    this.#is_judged = true;
    try {
      this.#judge(this.bytes());
      return null;
    } catch (error) {
      return error as Error;
    }
  }
}
