import type { Units } from './records.ts';
import type { Encoding } from './row.ts';

/** Part of a file, as units to cut and as text; indexes count units. */
export type Block = { units: Units; text(from: number, to: number): string };

const utf8 = new TextDecoder('utf-8');
const shiftJis = new TextDecoder('shift_jis');

/** Units of the encoding are this many bytes wide. */
export function unitWidth(encoding: Encoding): 1 | 2 {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1;
}

/**
 * Bytes of a file, in memory of their own and from the beginning of a record, ready to be cut and read. What cannot
 * be decoded becomes U+FFFD, in UTF-16 also half a unit at the end.
 */
export function blockOf(encoding: Encoding, bytes: Uint8Array): Block {
  if (unitWidth(encoding) === 2) return wideBlock(encoding, bytes);
  if (encoding === 'utf-8')
    return { units: bytes, text: (from, to) => utf8.decode(bytes.subarray(from, to)) };
  return { units: bytes, text: (from, to) => withControls(shiftJis.decode(bytes.subarray(from, to))) };
}

function wideBlock(encoding: Encoding, bytes: Uint8Array): Block {
  const whole = bytes.length & ~1;
  const copy = Buffer.allocUnsafeSlow(whole + (bytes.length & 1) * 2);
  copy.set(bytes.subarray(0, whole));
  if (encoding === 'utf-16be') copy.swap16();
  if (copy.length > whole) copy.writeUInt16LE(0xfffd, whole);
  const units = new Uint16Array(copy.buffer, 0, copy.length / 2);
  return { units, text: (from, to) => copy.toString('utf16le', from * 2, to * 2).toWellFormed() };
}

/** ICU's Shift_JIS has three control characters in each other's places, as IBM's mainframes had them. */
const MOVED: Record<string, string> = { '\x1c': '\x1a', '\x7f': '\x1c', '\x1a': '\x7f' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: these very characters are meant
const MOVED_CONTROLS = /[\x1a\x1c\x7f]/g;

function withControls(text: string): string {
  return text.replace(MOVED_CONTROLS, (control) => MOVED[control]!);
}
