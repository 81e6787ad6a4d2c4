import { Readable } from 'node:stream';
import { giveMemoryBack } from './body.ts';
import { written } from './written.ts';

/**
 * The bytes of an object of a store on their way to a caller, as the store's connection brings them; it breaks where that does.
 *
 * `pipe` is for sockets and answers alone: each chunk gives its memory back once the socket says that it was written.
 */
export class OutgoingObject extends Readable {
  readonly #object: Readable;
  readonly #chunks: AsyncIterator<Buffer>;

  constructor(object: Readable) {
    super();
    this.#object = object;
    this.#chunks = object[Symbol.asyncIterator]();
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
    this.#chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#object.destroy();
    done(error);
  }

  async #send(to: NodeJS.WritableStream): Promise<void> {
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) {
      await written(to, next.value);
      giveMemoryBack(next.value);
    }
  }
}
