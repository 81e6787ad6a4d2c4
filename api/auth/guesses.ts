import { type Guess, guessesOf, returnAttempt, takeAttempt } from '../../shared/access/attempts.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../http/address.ts';
import type { Steps } from '../http/steps.ts';

/**
 * Runs a check of a password as one of the tries that its account and the caller's address have. One that was right,
 * or failed for another reason, is given back, so that only guesses are counted. Errors: `rate_limited`.
 */
export async function asGuess<T>(steps: Steps, email: string, check: () => Promise<T>): Promise<T> {
  const guesses = await take(steps, 'sign_in', email);
  try {
    const result = await check();
    await giveBack(steps, guesses);
    return result;
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'invalid_credentials')) await giveBack(steps, guesses);
    throw error;
  }
}

/** Counts a request for a mail to an address, so that nobody's mailbox can be flooded. Errors: `rate_limited`. */
export async function limitMails(steps: Steps, purpose: string, email: string): Promise<void> {
  await take(steps, purpose, email);
}

async function take(steps: Steps, purpose: string, email: string): Promise<Guess[]> {
  const { ip_address, now } = steps.caller;
  const guesses = guessesOf(purpose, email, addressBucket(ip_address ?? ''));
  await steps.read(async ({ connection }) => {
    for (const guess of guesses) {
      const seconds = await takeAttempt(connection, guess, now);
      if (seconds > 0) throw tooMany(seconds);
    }
  });
  return guesses;
}

async function giveBack(steps: Steps, guesses: Guess[]): Promise<void> {
  await steps.read(async ({ connection }) => {
    for (const guess of guesses) await returnAttempt(connection, guess, steps.caller.now);
  });
}

function tooMany(seconds: number): Failure {
  return new Failure('rate_limited', {
    detail: `Too many attempts; try again in ${seconds} s`,
    headers: { 'Retry-After': String(seconds) },
  });
}
