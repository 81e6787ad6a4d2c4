import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import { keyOfSerial, type LinkKey } from '../../platform/links/keys.ts';

/** Whose key tokens are made under: kept in the database, so that they outlive AUTH_SECRET. */
export const RECIPIENT_TOKENS = 'mail_campaign_recipients';

/**
 * What a token is good for. Those of addresses in the mail: `unsubscribe`, `view`, `open`, `click`; `unsubscribe_mail`
 * stands in the address that a mail unsubscribes at, `bounce` in the envelope.
 */
export type TokenPurpose = 'unsubscribe' | 'unsubscribe_mail' | 'view' | 'open' | 'click' | 'bounce';

/** Whom a mail went to, by numbers: of the campaign over all organizations, and of the recipient in it. */
export type TokenOwner = { campaign_number: number; recipient_number: number };

/** The recipient of test mails and previews: there is no row with this number, so its tokens change nothing. */
export const NO_RECIPIENT = 0;

/** The digits of IDs (Crockford's base 32 in lower case): a mail path may fold case, and none is read as another. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));

const MAC_BYTES = 10;
const MAC_DIGITS = (MAC_BYTES * 8) / 5;

/** How many digits the numbers may have: the key's serial, the campaign, the recipient. */
const LONGEST = [3, 11, 7] as const;

/**
 * The token of a recipient for one purpose, always the same under one key: three numbers, each after its length, and a MAC
 * of 80 bits. At most 40 letters, so that a local part of 16 and a `+` fit before the @ with it (RFC 5321 4.5.3.1.1).
 */
export function tokenOf({ serial, key }: LinkKey, purpose: TokenPurpose, owner: TokenOwner): string {
  const numbers = [serial, owner.campaign_number, owner.recipient_number].map(written).join('');
  return numbers + inDigits(macOf(key, purpose, owner));
}

/** A token taken apart; nothing is said of whether it is a true one. */
export type ReadToken = TokenOwner & { serial: number; mac: Buffer };

/** Reads a token, in whichever case it comes; null for what no key can have made. */
export function readToken(token: string): ReadToken | null {
  const text = token.toLowerCase();
  const numbers: number[] = [];
  let at = 0;
  for (const longest of LONGEST) {
    const length = VALUES.get(text.charAt(at)) ?? 0;
    const number = numberFrom(text.slice(at + 1, at + 1 + length));
    if (
      length === 0 ||
      length > longest ||
      number === null ||
      written(number) !== text.slice(at, at + 1 + length)
    ) {
      return null;
    }
    numbers.push(number);
    at += 1 + length;
  }
  const mac = macFrom(text.slice(at));
  const [serial, campaign_number, recipient_number] = numbers as [number, number, number];
  return mac && { serial, campaign_number, recipient_number, mac };
}

/** Whether a key made this token for this purpose; the time that it takes does not tell how much of it is right. */
export function isTokenFor(key: Buffer, purpose: TokenPurpose, token: ReadToken): boolean {
  return timingSafeEqual(macOf(key, purpose, token), token.mac);
}

/** Whose token it is; null for one that was altered, that is of another purpose, or whose key has ended. */
export async function ownerOfToken(
  reader: Reader,
  purpose: TokenPurpose,
  token: string,
): Promise<TokenOwner | null> {
  const read = readToken(token);
  const key = read && (await keyOfSerial(reader, RECIPIENT_TOKENS, read.serial));
  if (!key || !isTokenFor(key, purpose, read)) return null;
  return { campaign_number: read.campaign_number, recipient_number: read.recipient_number };
}

function macOf(key: Buffer, purpose: TokenPurpose, owner: TokenOwner): Buffer {
  return createHmac('sha256', key)
    .update(`${purpose} ${owner.campaign_number} ${owner.recipient_number}`)
    .digest()
    .subarray(0, MAC_BYTES);
}

function written(number: number): string {
  let digits = '';
  for (let rest = number; rest > 0 || digits === ''; rest = Math.floor(rest / 32)) {
    digits = DIGITS[rest % 32] + digits;
  }
  return DIGITS[digits.length] + digits;
}

function numberFrom(digits: string): number | null {
  let number = 0;
  for (const digit of digits) {
    const value = VALUES.get(digit);
    if (value === undefined) return null;
    number = number * 32 + value;
  }
  return Number.isSafeInteger(number) ? number : null;
}

/** Five bytes at a time are eight digits. */
function inDigits(bytes: Buffer): string {
  let digits = '';
  for (let at = 0; at < bytes.length; at += 5) {
    let rest = bytes.readUIntBE(at, 5);
    let eight = '';
    for (let place = 0; place < 8; place += 1) {
      eight = DIGITS[rest % 32] + eight;
      rest = Math.floor(rest / 32);
    }
    digits += eight;
  }
  return digits;
}

function macFrom(digits: string): Buffer | null {
  if (digits.length !== MAC_DIGITS) return null;
  const bytes = Buffer.alloc(MAC_BYTES);
  for (let at = 0; at < MAC_BYTES; at += 5) {
    const number = numberFrom(digits.slice((at / 5) * 8, (at / 5 + 1) * 8));
    if (number === null) return null;
    bytes.writeUIntBE(number, at, 5);
  }
  return bytes;
}
