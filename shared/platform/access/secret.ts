import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LETTERS = 43;
const CHECK_LETTERS = 6;
const FORM = new RegExp(`^sk_[0-9A-Za-z]{${RANDOM_LETTERS + CHECK_LETTERS}}$`);

/**
 * A new API key: `sk_`, 43 letters of base 62 (256 bits) and 6 of checksum.
 * `random` answers that many random bytes.
 */
export function newSecret(random: (count: number) => Uint8Array): string {
  let letters = '';
  while (letters.length < RANDOM_LETTERS) {
    for (const byte of random(RANDOM_LETTERS)) {
      // 248 is the largest multiple of 62 in a byte: above it the letters would not be equally likely.
      if (byte < 248 && letters.length < RANDOM_LETTERS) letters += LETTERS[byte % 62];
    }
  }
  return `sk_${letters}${checksum(letters)}`;
}

/** Whether the text can be a key at all: a mistyped one is refused without a query. */
export function isWellFormedSecret(text: string): boolean {
  if (!FORM.test(text)) return false;
  const letters = text.slice(3, 3 + RANDOM_LETTERS);
  return text.slice(3 + RANDOM_LETTERS) === checksum(letters);
}

/** What is stored of a key. The key has 256 random bits, so a plain hash cannot be searched. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function checksum(letters: string): string {
  let rest = crc32(letters);
  let text = '';
  for (let place = 0; place < CHECK_LETTERS; place++) {
    text = LETTERS[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
