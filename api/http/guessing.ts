import { Failure } from '../../shared/kernel/failure.ts';
import type { Charge, Limits, Quota } from './limits.ts';

/** Whose wrong guesses are counted together (an address, the known browsers), and how many are answered as such. */
export type Guesser = { bucket: string; quota: Quota; now: Date };

/**
 * Counts a wrong key, token or password. Answers what to refuse it with: `failure`, or `rate_limited` when the bucket has
 * used up its quota. Right ones are neither counted nor refused, so that nobody locks out others behind the same address.
 */
export function countFailure(limits: Limits, { bucket, quota, now }: Guesser, failure: Failure): Failure {
  return chargeFailure(limits, [{ bucket, quota }], now, failure);
}

/**
 * Charges a refused request to several buckets. Answers what to refuse it with: `failure`, or `rate_limited` when one of
 * them has nothing left; then none is charged.
 */
export function chargeFailure(
  limits: Limits,
  charges: readonly Charge[],
  now: Date,
  failure: Failure,
): Failure {
  try {
    limits.takeAll(charges, now);
    return failure;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Whether the bucket has wrong guesses left. Counts nothing. */
export function hasGuesses(limits: Limits, { bucket, quota, now }: Guesser): boolean {
  return limits.left(bucket, quota, now) > 0;
}
