import { Transform, type TransformCallback } from 'node:stream';

/** Bytes that are looked at: enough for the header of a table, and for the signature of anything. */
const HEAD = 1024 * 1024;

/** Lets bytes through, and holds the first 1 MiB. */
export class Head extends Transform {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (this.#size < HEAD) {
      this.#chunks.push(chunk.subarray(0, HEAD - this.#size));
      this.#size += Math.min(chunk.length, HEAD - this.#size);
    }
    done(null, chunk);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
