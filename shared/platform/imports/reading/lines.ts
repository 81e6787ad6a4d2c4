import { LIMITS } from './row.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line without its line end, and where it begins in the file. */
export type Line = { bytes: Uint8Array; byte: number };

/** Whole lines of a file, and those of them that hold bytes beyond ASCII. */
export type Lines = { bytes: Uint8Array; beyond_ascii: Line[] };

/**
 * The lines of a file in batches, cut at every line end, also inside cells. One that is longer than a record may be
 * comes in parts of that size.
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Lines, void, void> {
  let rest: Uint8Array = new Uint8Array();
  let byte = 0;
  for await (const chunk of source) {
    const bytes: Uint8Array = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const { read, beyond_ascii } = cutLines(bytes, byte, false);
    yield { bytes: bytes.subarray(0, read), beyond_ascii };
    byte += read;
    rest = bytes.slice(read);
  }
  yield { bytes: rest, beyond_ascii: cutLines(rest, byte, true).beyond_ascii };
}

function cutLines(bytes: Uint8Array, byte: number, final: boolean): { read: number; beyond_ascii: Line[] } {
  const beyond_ascii: Line[] = [];
  let start = 0;
  while (start < bytes.length) {
    const most = Math.min(bytes.length, start + LIMITS.record_bytes);
    let at = start;
    let bits = 0;
    for (; at < most; at += 1) {
      const unit = bytes[at]!;
      if (unit <= CARRIAGE_RETURN && (unit === LINE_FEED || unit === CARRIAGE_RETURN)) break;
      bits |= unit;
    }
    if (at === bytes.length && at - start < LIMITS.record_bytes && !final) break;
    if (bits >= 0x80) beyond_ascii.push({ bytes: bytes.subarray(start, at), byte: byte + start });
    start = at < most ? at + 1 : at;
  }
  return { read: start, beyond_ascii };
}

/** How many of the bytes are whole characters of UTF-8, as far as the last ones can tell. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
