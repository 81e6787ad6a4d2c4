import { createHash } from 'node:crypto';

const TOKEN = /^[0-9a-f]{64}$/;

/** 256 bits in letters that no mail program leaves out at the end of a link, as some do with a hyphen. */
export function tokenFrom(random: Buffer): string {
  if (random.length !== 32) throw new Error('A token takes 32 random bytes');
  return random.toString('hex');
}

/**
 * What is stored of a link's token: its SHA-256. 256 random bits cannot be guessed from it, so neither salt nor key
 * is needed, and no secret whose change would break the links that are under way. Null when it cannot be a token.
 */
export function hashOfToken(token: string): Buffer | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : null;
}
