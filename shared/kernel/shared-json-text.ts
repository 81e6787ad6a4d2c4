import { randomUUID } from 'node:crypto';

/** JSON text that several values of a transaction hold: it is made once, and travels once in a statement. */
export class SharedText {
  readonly text: string;
  constructor(value: object) {
    this.text = JSON.stringify(value);
  }
}

/** Stands for the shared member while the rest is made into text; no caller can know it. */
const MARK = randomUUID();
const MARKED = JSON.stringify(MARK);

/** A JSON value with a shared text in it. */
export class Spliced {
  readonly value: object;
  readonly pieces: readonly [string, SharedText, string];

  /** `place` puts a stand-in where the shared member is. */
  constructor(value: object, shared: SharedText, place: (mark: string) => object) {
    this.value = value;
    const text = JSON.stringify(place(MARK));
    const at = text.indexOf(MARKED);
    this.pieces = [text.slice(0, at), shared, text.slice(at + MARKED.length)];
  }

  /** Among many rows, which travel as one text, it is what any other value is. */
  toJSON(): object {
    return this.value;
  }
}
