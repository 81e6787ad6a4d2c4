import { isUtf8 } from 'node:buffer';
import { linesOf, wholeCharacters } from './lines.ts';
import { refusalsOfFile } from './refusals.ts';
import type { Encoding, FileFault } from './row.ts';

/** What may be asked for. */
export type AskedEncoding = 'auto' | 'utf-8' | 'utf-16' | 'shift_jis';

export type DetectedEncoding = { encoding: Encoding; bom: boolean };

/** Gives the bytes of the file from its beginning; called again for a second look at them. */
export type Open = () => AsyncIterable<Uint8Array>;

/**
 * How the file is to be read. A byte-order mark decides, then what was asked for, then the bytes of the whole file:
 * UTF-8 when all of them are. Else the one of UTF-8 and Shift_JIS in which fewer of the lines with non-ASCII bytes are
 * faulty, UTF-8 when both have as many; when over half are faulty in both, a fault with the first bad byte.
 */
export async function detectEncoding(
  open: Open,
  asked: AskedEncoding,
): Promise<DetectedEncoding | { fault: FileFault }> {
  const head = await firstBytes(open(), 65_536);
  const known = markedEncoding(head) ?? askedEncoding(head, asked);
  if (known !== null) return known;
  if (await isAllUtf8(open())) return { encoding: 'utf-8', bom: false };
  return await likelierEncoding(open());
}

/** The encoding that a byte-order mark at the beginning names. */
export function markedEncoding(head: Uint8Array): DetectedEncoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bom: true };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bom: true };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bom: true };
  return null;
}

function askedEncoding(head: Uint8Array, asked: AskedEncoding): DetectedEncoding | null {
  if (asked === 'auto') return null;
  return { encoding: asked === 'utf-16' ? byteOrder(head) : asked, bom: false };
}

/** UTF-16 without a mark: separators, digits and line ends have a zero byte, at even places in big-endian order. */
function byteOrder(head: Uint8Array): Encoding {
  let even = 0;
  let odd = 0;
  for (let at = 0; at < head.length; at += 1) {
    if (head[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  return even > odd ? 'utf-16be' : 'utf-16le';
}

async function firstBytes(source: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

async function isAllUtf8(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return false;
    rest = bytes.slice(whole);
  }
  return isUtf8(rest);
}

const shiftJis = new TextDecoder('shift_jis');

async function likelierEncoding(
  source: AsyncIterable<Uint8Array>,
): Promise<DetectedEncoding | { fault: FileFault }> {
  let count = 0;
  const faulty = { utf8: 0, shift_jis: 0 };
  let first_bad: number | null = null;
  for await (const { bytes: all, beyond_ascii } of linesOf(source)) {
    count += beyond_ascii.length;
    const isShiftJis = canBeShiftJis(all);
    for (const { bytes, byte } of beyond_ascii) {
      if (!isUtf8(bytes)) {
        faulty.utf8 += 1;
        first_bad ??= byte + validPart(bytes);
      }
      if (!isShiftJis && !canBeShiftJis(bytes)) faulty.shift_jis += 1;
    }
  }
  const fewest = Math.min(faulty.utf8, faulty.shift_jis);
  if (fewest * 2 > count) return { fault: undecodable(first_bad) };
  return { encoding: faulty.utf8 <= faulty.shift_jis ? 'utf-8' : 'shift_jis', bom: false };
}

function canBeShiftJis(bytes: Uint8Array): boolean {
  return !shiftJis.decode(bytes).includes('\ufffd');
}

/** How many bytes of a line are UTF-8 before the first that is not. */
export function validPart(line: Uint8Array): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(line);
  let bytes = 0;
  let counted = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) {
    bytes += Buffer.byteLength(text.slice(counted, at));
    counted = at;
    // A file may hold the replacement character itself.
    if (!(line[bytes] === 0xef && line[bytes + 1] === 0xbf && line[bytes + 2] === 0xbd)) return bytes;
  }
  return line.length;
}

function undecodable(byte: number | null): FileFault {
  return { code: 'bad_characters', message: refusalsOfFile.undecodable(String(byte)).en, byte };
}
