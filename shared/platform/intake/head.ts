/** Bytes that are looked at: enough for the header of a table, and for the signature of anything. */
export const HEAD = 1024 * 1024;

/** The first 1 MiB of a file that arrives in chunks. `judge` sees it once, as soon as it is there, and may throw. */
export class Head {
  readonly #judge: (head: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  #bytes: Buffer | null = null;

  constructor(judge: (head: Buffer) => void) {
    this.#judge = judge;
  }

  /** Copies what it needs of a chunk. Errors: what `judge` throws. */
  add(chunk: Buffer): void {
    if (this.#bytes) return;
    const wanted = Buffer.from(chunk.subarray(0, HEAD - this.#size));
    this.#chunks.push(wanted);
    this.#size += wanted.length;
    if (this.#size === HEAD) this.end();
  }

  /** Says that the file has no more bytes; answers its head. Errors: what `judge` throws, the first time. */
  end(): Buffer {
    if (this.#bytes) return this.#bytes;
    // A small file is one chunk, and is not copied once more.
    this.#bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#judge(this.#bytes);
    return this.#bytes;
  }
}
