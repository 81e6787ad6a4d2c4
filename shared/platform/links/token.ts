import { createHash, createHmac } from 'node:crypto';

/** A random token: 64 digits. A derived one: the same, or 43 letters of base64url, of which the last is never a hyphen. */
const TOKEN = /^(?:[0-9a-f]{64}|[A-Za-z0-9_-]{43})$/;

/** 256 bits in letters that no mail program leaves out at the end of a link, as some do with a hyphen. */
export function tokenFrom(random: Buffer): string {
  if (random.length !== 32) throw new Error('A token takes 32 random bytes');
  return random.toString('hex');
}

/** The token that this key always makes of these parts: HMAC-SHA256 of their JSON, which keeps them apart. */
export function derivedToken(
  key: Buffer,
  parts: readonly (string | number | null)[],
  encoding: 'hex' | 'base64url' = 'base64url',
): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest(encoding);
}

/**
 * What is stored of a link's token: its SHA-256. 256 random bits cannot be guessed from it, so neither salt nor key
 * is needed, and no secret whose change would break the links that were sent. Null when it cannot be a token.
 */
export function hashOfToken(token: string): Buffer | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : null;
}

/** What requests with a token of another form are counted by: its SHA-256, in whichever case it came. */
export function hashOfOtherToken(token: string): string {
  return createHash('sha256').update(token.toLowerCase()).digest('hex');
}
