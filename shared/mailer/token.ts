import { createHash } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits as text that a URL's path takes as it is. */
export function tokenFrom(random: Buffer): string {
  if (random.length !== 32) throw new Error('A token takes 32 random bytes');
  return random.toString('base64url');
}

/**
 * What is stored of a link's token: its SHA-256. 256 random bits cannot be guessed from it, so neither salt nor key
 * is needed, and no secret whose change would break the links that are under way. Null when it cannot be a token.
 */
export function hashOfToken(token: string): Buffer | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : null;
}
