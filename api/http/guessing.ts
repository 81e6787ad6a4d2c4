import { Failure } from '../../shared/kernel/failure.ts';
import type { Limits, Quota } from './limits.ts';

/** Whose failed proofs are counted, and how many are told what was wrong. */
export type Guesser = { address: string; quota: Quota; now: Date };

/**
 * Counts a proof that failed: a wrong key, token or password. Answers what to refuse it with: `failure`, or
 * `rate_limited` when the address has used up its quota. Proofs that are right are neither counted nor refused, so
 * that nobody locks out others behind the same address.
 */
export function countFailure(limits: Limits, { address, quota, now }: Guesser, failure: Failure): Failure {
  try {
    limits.take(address, quota, now);
    return failure;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
