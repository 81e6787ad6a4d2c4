import { createHash } from 'node:crypto';

/** What a sender's machine is asked to work out before it submits. `salt` is that of one form token. */
export type Challenge = { salt: string; bits: number };

/** Leading zero bits that a proof must have: some 65,000 hashes, a moment for one form and much for a flood of them. */
export const CHALLENGE_BITS = 16;

/** A decimal number in its shortest form. */
const NUMBER = /^(?:0|[1-9][0-9]{0,15})$/;

/** The challenge that goes with the nonce of a form token: whoever has the token can solve it, once. */
export function challengeOf(nonce: string): Challenge {
  return { salt: nonce, bits: CHALLENGE_BITS };
}

/** Whether SHA-256 of `salt:proof` begins with so many zero bits. */
export function isProof({ salt, bits }: Challenge, proof: string | null): boolean {
  if (proof === null || !NUMBER.test(proof)) return false;
  const digest = createHash('sha256').update(`${salt}:${proof}`).digest();
  return digest.readUInt32BE() >>> (32 - bits) === 0;
}
