import { createHash } from 'node:crypto';
import type { SealPlace } from './types.ts';

/** Whether a place lies in a file of that size: it begins with the file, and its parts follow each other. */
export function isPlace(numbers: readonly number[], size: number): numbers is SealPlace {
  const [first, first_length, second, second_length] = numbers as SealPlace;
  return (
    numbers.length === 4 &&
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0) &&
    first === 0 &&
    second > first_length &&
    second + second_length <= size
  );
}

/** The digest of what a signature covers, in hex. */
export function coveredDigest(
  file: Buffer,
  [, end, second, length]: SealPlace,
  algorithm = 'sha256',
): string {
  return createHash(algorithm)
    .update(file.subarray(0, end))
    .update(file.subarray(second, second + length))
    .digest('hex');
}

/** The signature between the two parts: hexadecimal in angle brackets, with zeros behind it. Null where it is none. */
export function signatureAt(file: Buffer, [, end, second]: SealPlace): Buffer | null {
  const text = file.toString('latin1', end, second);
  const [, digits] = /^<((?:[0-9A-Fa-f]{2})+)>$/.exec(text) ?? [];
  return digits === undefined ? null : Buffer.from(digits, 'hex');
}

/** Writes a signature into its place, in the file itself. Throws where it has no room. */
export function putSignature(file: Buffer, [, end, second]: SealPlace, signature: Uint8Array): void {
  const room = second - end - 2;
  const digits = Buffer.from(signature).toString('hex').toUpperCase();
  if (digits.length > room)
    throw new Error(`A signature of ${signature.length} bytes has no room in the file`);
  file.write(digits.padEnd(room, '0'), end + 1, 'latin1');
}

const RANGE = /^\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/;
/** Signatures that one file is looked at for. */
const MOST_PLACES = 64;

/** The places that a file names, found without reading its structure, in their order: the last ones where they are many. */
export function placesNamedIn(file: Buffer): SealPlace[] {
  const places: SealPlace[] = [];
  for (let at = file.lastIndexOf('/ByteRange'); at >= 0; ) {
    const found = RANGE.exec(file.toString('latin1', at, at + 200));
    const numbers = found?.slice(1).map(Number) ?? [];
    if (isPlace(numbers, file.length)) places.unshift(numbers);
    if (at === 0 || places.length === MOST_PLACES) break;
    at = file.lastIndexOf('/ByteRange', at - 1);
  }
  return places;
}
