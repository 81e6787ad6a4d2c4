import { hashPassword as hash, verifyPassword as verify } from 'better-auth/crypto';
import { z } from 'zod';

/** A password that somebody chooses. */
export function newPassword() {
  return z
    .string()
    .min(8)
    .max(128)
    .describe('8 to 128 characters.')
    .meta({ examples: ['a long and quiet sentence'] });
}

/** A password that somebody proves to know: as long as any that was ever taken. */
export function knownPassword() {
  return z
    .string()
    .min(1)
    .max(128)
    .meta({ examples: ['a long and quiet sentence'] });
}

/** What is stored of a password: scrypt with a salt of its own, some 80 ms of work. Hold no connection meanwhile. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/**
 * Whether the password is the one of the stored hash. Without a hash (no such account) the same work is done, so
 * that the time it takes does not tell which accounts exist.
 */
export async function isPasswordOf(password_hash: string | null, password: string): Promise<boolean> {
  if (password_hash !== null) return verify({ hash: password_hash, password });
  await hash(password);
  return false;
}
