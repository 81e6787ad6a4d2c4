import { isAscii } from 'node:buffer';
import { LIMITS } from './row.ts';

/** A line without its line end, and where it begins in the file. */
export type Line = { bytes: Uint8Array; byte: number };

/**
 * The lines of a file that hold bytes beyond ASCII, in batches, cut at every line end, also inside cells. One that is
 * longer than a record may be comes in parts of that size.
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line[], void, void> {
  let rest: Uint8Array = new Uint8Array();
  let byte = 0;
  for await (const chunk of source) {
    const bytes: Uint8Array = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: Line[] = [];
    let at = 0;
    while (at < bytes.length) {
      const end = partEnd(bytes, at);
      if (end === bytes.length && end - at < LIMITS.record_bytes) break;
      takeBeyondAscii(lines, bytes.subarray(at, end), byte + at);
      at = bytes[end] === 0x0a || bytes[end] === 0x0d ? end + 1 : end;
    }
    byte += at;
    rest = bytes.slice(at);
    yield lines;
  }
  const last: Line[] = [];
  takeBeyondAscii(last, rest, byte);
  yield last;
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

function partEnd(bytes: Uint8Array, from: number): number {
  const most = Math.min(bytes.length, from + LIMITS.record_bytes);
  let at = from;
  while (at < most && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1;
  return at;
}

function takeBeyondAscii(lines: Line[], bytes: Uint8Array, byte: number): void {
  if (!isAscii(bytes)) lines.push({ bytes, byte });
}
