import iconv from 'iconv-lite';

/**
 * Letters that Unicode has twice and JIS X 0208 once: CP932, the Shift_JIS of Windows, knows each by the second of
 * the two only. With them go a yen sign and an overline, whose places in JIS are a backslash and a tilde in CP932, and
 * the hyphen and the space at which no line breaks.
 */
const TWINS: readonly (readonly [number, number])[] = [
  [0x301c, 0xff5e],
  [0x2212, 0xff0d],
  [0x2016, 0x2225],
  [0x2014, 0x2015],
  [0x00a2, 0xffe0],
  [0x00a3, 0xffe1],
  [0x00ac, 0xffe2],
  [0x00a6, 0xffe4],
  [0x00a5, 0xffe5],
  [0x203e, 0xffe3],
  [0x2011, 0x2010],
  [0x00a0, 0x0020],
];

/** 〓, which printers set for a letter that they lack. */
const GETA = 0x81ac;

const QUESTION_MARK = 0x3f;

let table: Uint16Array | undefined;

/** The bytes of every letter of the basic plane in CP932 as one number; 0 for those that it lacks. */
function cp932Table(): Uint16Array {
  if (table) return table;
  const made = new Uint16Array(0x10000);
  for (let point = 0; point < 0x10000; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const bytes = iconv.encode(String.fromCharCode(point), 'cp932');
    const isLacking = bytes.length === 1 && (bytes[0] === QUESTION_MARK || point > 0x7f);
    if (!isLacking || point === QUESTION_MARK || isHalfWidthKana(point)) made[point] = numberOf(bytes);
  }
  for (const [twin, known] of TWINS) made[twin] = made[known]!;
  table = made;
  return made;
}

function isHalfWidthKana(point: number): boolean {
  return point >= 0xff61 && point <= 0xff9f;
}

function numberOf(bytes: Uint8Array): number {
  return bytes.length === 1 ? bytes[0]! : (bytes[0]! << 8) | bytes[1]!;
}

export type Encoder = {
  /** The bytes of a part of the text; what a part ends in the middle of is kept for the next one. */
  take(utf8: Uint8Array): Uint8Array;
  /** The bytes that were kept, when there are no more parts. */
  end(): Uint8Array;
  /** How many letters became 〓 so far. */
  replaced(): number;
};

const DAKUTEN = 0x99;
const HANDAKUTEN = 0x9a;

/**
 * Writes UTF-8 as CP932. Letters that it lacks become 〓 and are counted; kana whose voicing mark is a letter of its
 * own, as macOS writes them, become the one letter that they are.
 */
export function cp932Encoder(): Encoder {
  const known = cp932Table();
  let rest: Uint8Array = new Uint8Array(0);
  let replaced = 0;

  function encode(input: Uint8Array, isEnd: boolean): Uint8Array {
    const output = Buffer.allocUnsafe(input.length);
    const { length } = input;
    let at = 0;
    let to = 0;
    while (at < length) {
      const first = input[at]!;
      if (first < 0x80) {
        output[to++] = first;
        at += 1;
        continue;
      }
      const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      if (at + size > length) break;
      let code = 0;
      let next = at + size;
      if (size < 4) {
        let point =
          size === 2
            ? ((first & 0x1f) << 6) | (input[at + 1]! & 0x3f)
            : ((first & 0x0f) << 12) | ((input[at + 1]! & 0x3f) << 6) | (input[at + 2]! & 0x3f);
        if (point >= 0x3046 && point <= 0x30fd) {
          if (next + 3 > length && !isEnd) break;
          const voiced = withMark(point, input, next);
          if (voiced) {
            point = voiced;
            next += 3;
          }
        }
        code = known[point]!;
      }
      if (code === 0) {
        replaced += 1;
        code = GETA;
      }
      if (code > 0xff) output[to++] = code >> 8;
      output[to++] = code & 0xff;
      at = next;
    }
    rest = input.slice(at);
    return output.subarray(0, to);
  }

  return {
    take: (utf8) => encode(rest.length === 0 ? utf8 : Buffer.concat([rest, utf8]), false),
    end: () => encode(rest, true),
    replaced: () => replaced,
  };
}

/** The kana together with the voicing mark that stands after it; 0 where none does, or none belongs to it. */
function withMark(kana: number, input: Uint8Array, at: number): number {
  if (input[at] !== 0xe3 || input[at + 1] !== 0x82) return 0;
  const mark = input[at + 2];
  if (mark !== DAKUTEN && mark !== HANDAKUTEN) return 0;
  const composed = String.fromCharCode(kana, 0x3000 + mark).normalize('NFC');
  return composed.length === 1 ? composed.charCodeAt(0) : 0;
}
