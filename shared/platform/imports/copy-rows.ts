/** Bytes that are handed on at once: enough to keep the server busy while the process reads on. */
const PART = 262_144;

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);
const EPOCH = Date.UTC(2000, 0, 1);

/**
 * Rows in COPY's binary form, written straight into bytes: no text is put together, searched for letters with a
 * meaning and taken apart again by the server, and next to nothing is left for the collector.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
export class CopyRows {
  #bytes = Buffer.allocUnsafeSlow(PART);
  #at = 0;
  #starts: number[] = [];

  /** Begins a row of which no more than so many bytes will be written: `columnCount`, then its fields. */
  begin(most: number): void {
    this.#starts.push(this.#at);
    if (this.#at + most <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + most));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  /** Bytes made ready before: what is the same in all rows. */
  bytes(ready: Uint8Array): void {
    this.#bytes.set(ready, this.#at);
    this.#at += ready.length;
  }

  /** A field of text; null and undefined are NULL. */
  text(value: string | null | undefined): void {
    if (value === null || value === undefined) {
      this.#at = this.#bytes.writeInt32BE(-1, this.#at);
      return;
    }
    const length = this.#bytes.write(value, this.#at + 4);
    this.#bytes.writeInt32BE(length, this.#at);
    this.#at += 4 + length;
  }

  /** Writes ASCII over what stands so many bytes behind the beginning of a row; rows count from 0. */
  overwrite(row: number, offset: number, letters: string): void {
    this.#bytes.write(letters, this.#starts[row]! + offset, 'latin1');
  }

  /** All rows in that order, as the server reads them; other rows may be written then. */
  finish(order: readonly number[]): Uint8Array[] {
    const parts: Uint8Array[] = [];
    let part = Buffer.allocUnsafeSlow(PART);
    let at = HEADER.copy(part);
    this.#starts.push(this.#at);
    for (const row of order) {
      const [from, to] = [this.#starts[row]!, this.#starts[row + 1]!];
      if (at + to - from > part.length) {
        parts.push(part.subarray(0, at));
        part = Buffer.allocUnsafeSlow(Math.max(PART, to - from));
        at = 0;
      }
      at += this.#bytes.copy(part, at, from, to);
    }
    parts.push(part.subarray(0, at), TRAILER);
    this.#at = 0;
    this.#starts = [];
    return parts;
  }
}

/** How a row begins: with the number of its fields. */
export function columnCount(count: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(count);
  return bytes;
}

/** A field of text, ready to be written into many rows. */
export function textField(value: string): Uint8Array {
  return field(Buffer.from(value));
}

/** A field of timestamptz: microseconds since 2000. */
export function timeField(time: Date): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(time.getTime() - EPOCH) * 1000n);
  return field(bytes);
}

/** A field of jsonb: a version before its text. */
export function jsonField(value: unknown): Uint8Array {
  return field(Buffer.from(`\x01${JSON.stringify(value)}`));
}

function field(value: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeInt32BE(value.length);
  return Buffer.concat([length, value]);
}
