/** What the cells of a column hold: only a `text` can be taken for a formula; a `time` becomes ISO 8601 in UTC. */
export type CellKind = 'text' | 'number' | 'day' | 'time';

export type LineEnding = 'crlf' | 'lf';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const EQUALS = 0x3d;
const AT = 0x40;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/** The first byte of the full-width forms, which are EF BC and one of `FULL_WIDTH`. */
const WIDE = 0xef;
const FULL_WIDTH: ReadonlySet<number> = new Set([0x8b, 0x8d, 0x9d, 0xa0]);

const FORMULA = bytes(EQUALS, PLUS, MINUS, AT, TAB, CR);
const SUSPICIOUS = bytes(EQUALS, PLUS, MINUS, AT, TAB, CR, APOSTROPHE, WIDE);

function bytes(...marked: number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of marked) table[byte] = 1;
  return table;
}

/**
 * Whether the text that begins at `at` may be taken for a formula by a spreadsheet: after any apostrophes comes one of
 * = + - @, their full-width forms, a tab or a carriage return. Texts that carry an apostrophe already are among them,
 * so that the reader takes off exactly the one that was put. Undefined when more bytes are needed to tell.
 */
function isFormula(input: Uint8Array, at: number): boolean | undefined {
  let place = at;
  while (input[place] === APOSTROPHE) place += 1;
  const byte = input[place];
  if (byte === undefined) return undefined;
  if (byte !== WIDE) return FORMULA[byte] === 1;
  if (place + 2 >= input.length) return undefined;
  return input[place + 1] === 0xbc && FULL_WIDTH.has(input[place + 2]!);
}

export type RowWriter = {
  /** The rows of a part; a row that the part cuts continues in the next one. */
  take(part: Uint8Array): Uint8Array;
  /** Whole rows so far. */
  rows(): number;
};

/**
 * Makes what `COPY ... TO STDOUT (FORMAT csv)` sends, in UTC, into the rows of the file: line ends outside quotes,
 * guarded texts, times as the API shows them. One walk over the bytes: this is most of what an export costs here.
 */
export function rowWriter(kinds: readonly CellKind[], line_ending: LineEnding): RowWriter {
  const isText = Uint8Array.from(kinds, (kind) => (kind === 'text' ? 1 : 0));
  const isTime = Uint8Array.from(kinds, (kind) => (kind === 'time' ? 1 : 0));
  const crlf = line_ending === 'crlf';
  let rest: Uint8Array | null = null;
  let rows = 0;
  let column = 0;
  let quoted = false;
  let starting = true;
  let room: Uint8Array = new Uint8Array(0);
  const time = timeWriter();

  function take(part: Uint8Array): Uint8Array {
    const input: Uint8Array = rest ? Buffer.concat([rest, part]) : part;
    rest = null;
    const { length } = input;
    // An apostrophe, a carriage return and the end of a time are all that is ever added.
    if (room.length < length * 2 + 8) room = Buffer.allocUnsafe(length * 2 + 8);
    const output = room;
    let at = 0;
    let to = 0;
    while (at < length) {
      let byte = input[at]!;
      if (starting) {
        if (byte === QUOTE && !quoted) {
          quoted = true;
          output[to++] = byte;
          at += 1;
          continue;
        }
        if (SUSPICIOUS[byte] && isText[column]) {
          const guarded = isFormula(input, at);
          if (guarded === undefined) {
            rest = input.slice(at);
            break;
          }
          if (guarded) output[to++] = APOSTROPHE;
        }
        starting = false;
        if (isTime[column]) time.begin();
      }
      if (isTime[column] && byte !== COMMA && byte !== LF) {
        to = time.write(byte, output, to);
        at += 1;
        continue;
      }
      // Most bytes are letters, and none of what has a meaning: they are walked over in a loop of their own.
      while (byte > COMMA) {
        output[to++] = byte;
        at += 1;
        byte = at < length ? input[at]! : 0;
      }
      if (at >= length) break;
      at += 1;
      if (byte === QUOTE) {
        quoted = !quoted;
      } else if (!quoted && byte === COMMA) {
        column += 1;
        starting = true;
      } else if (!quoted && byte === LF) {
        if (crlf) output[to++] = CR;
        rows += 1;
        column = 0;
        starting = true;
      }
      output[to++] = byte;
    }
    return output.subarray(0, to);
  }

  return { take, rows: () => rows };
}

/** `2026-11-21 10:04:42.12+00` -> `2026-11-21T10:04:42.120Z`, byte by byte. */
function timeWriter() {
  let digits = -1;
  let isOver = false;
  return {
    begin() {
      digits = -1;
      isOver = false;
    },
    /** Answers where the next byte goes. */
    write(byte: number, output: Uint8Array, place: number): number {
      let to = place;
      if (byte === SPACE) {
        output[to++] = LETTER_T;
      } else if (byte === DOT) {
        output[to++] = byte;
        digits = 0;
      } else if (byte === PLUS) {
        if (digits < 0) output[to++] = DOT;
        for (let more = Math.max(digits, 0); more < 3; more += 1) output[to++] = ZERO;
        output[to++] = LETTER_Z;
        isOver = true;
        digits = -1;
      } else if (digits >= 0) {
        if (digits < 3) output[to++] = byte;
        digits += 1;
      } else if (!isOver) {
        output[to++] = byte;
      }
      return to;
    },
  };
}
