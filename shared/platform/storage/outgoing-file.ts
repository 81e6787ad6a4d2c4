import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { written } from './written.ts';

/** Bytes that are read ahead while as many are sent. */
const BLOCK = 256 * 1024;

/**
 * The bytes of an open file on their way to a caller, `length` of them from `start` on; it closes the file. A file that turns
 * out to be shorter breaks the stream.
 *
 * `pipe` is for sockets and answers alone: it fills two blocks in turns, each again once the socket says that it was written.
 * A block of its own for every read would have the collector look through the whole heap for them, again and again
 * (docs/performance.md). Whoever passes chunks on before they are used, as a Transform does, iterates instead.
 */
export class OutgoingFile extends Readable {
  readonly #file: FileHandle;
  readonly #end: number;
  #at: number;

  constructor(file: FileHandle, { start, length }: { start: number; length: number }) {
    super();
    this.#file = file;
    this.#at = start;
    this.#end = start + length;
  }

  override pipe<To extends NodeJS.WritableStream>(to: To): To {
    this.#send(to).then(
      () => {
        this.push(null);
        // Nobody reads, and the end is told to readers alone.
        this.resume();
      },
      (error) => this.destroy(error),
    );
    return to;
  }

  override _read(): void {
    if (this.#at === this.#end) {
      this.push(null);
      return;
    }
    this.#fill(this.#newBlock()).then(
      (bytes) => this.push(bytes),
      (error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#file.close().then(() => done(error), done);
  }

  /** One block is filled while the other is written. */
  async #send(to: NodeJS.WritableStream): Promise<void> {
    let free = this.#newBlock();
    let busy: Buffer | null = null;
    let writing: Promise<void> = Promise.resolve();
    while (this.#at < this.#end) {
      const bytes = await this.#fill(free);
      await writing;
      writing = written(to, bytes);
      // Another error may come first, and nobody would wait for this one.
      writing.catch(() => undefined);
      [free, busy] = [busy ?? this.#newBlock(), free];
    }
    await writing;
  }

  #newBlock(): Buffer {
    return Buffer.allocUnsafeSlow(Math.min(BLOCK, this.#end - this.#at));
  }

  /** Reads on into a block; answers the part of it that was filled. */
  async #fill(block: Buffer): Promise<Buffer> {
    const wanted = Math.min(block.length, this.#end - this.#at);
    const { bytesRead } = await this.#file.read(block, 0, wanted, this.#at);
    if (bytesRead === 0) throw new Error(`The file ends ${this.#end - this.#at} bytes early`);
    this.#at += bytesRead;
    return block.subarray(0, bytesRead);
  }
}
