import { Readable, Transform } from 'node:stream';

/** A line that begins with a dot, or a CR or an LF that stands alone. */
const NOT_AS_IT_LEAVES = /(?:^|\n)\.|\r(?!\n)|(?<!\r)\n/;

const END = Buffer.from('.\r\n');

/** A text as it leaves, with the line that ends it (RFC 5321 4.5.2); null where something in it must be changed for that. */
export function leavingText(bytes: Buffer): Buffer | null {
  const isEnded = bytes.at(-1) === 0x0a;
  return isEnded && !NOT_AS_IT_LEAVES.test(bytes.toString('latin1')) ? Buffer.concat([bytes, END]) : null;
}

/** A text that knows when its first byte was asked for: only after the server wanted it (354). */
export class Text extends Readable {
  begun = false;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super({ read: () => undefined });
    this.#bytes = bytes;
  }

  /**
   * The library hands over the stream that doubles dots and ends the text, in two writes to the line. A text that needs none of it
   * leaves by that stream's other side, in one: a write, and the read of it by the server, cost more than all else about a text.
   */
  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    this.begun = true;
    const leaving = destination instanceof Transform ? leavingText(this.#bytes) : null;
    if (leaving && destination instanceof Transform) {
      destination.push(leaving);
      destination.push(null);
    } else {
      destination.end(this.#bytes);
    }
    return destination;
  }
}
