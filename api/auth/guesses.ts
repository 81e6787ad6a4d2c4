import {
  type Guess,
  returnAttempt,
  takeAttempt,
  triesOfAccount,
  triesOfAddress,
  triesOfBrowser,
} from '../../shared/access/attempts.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../http/address.ts';
import type { Steps } from '../http/steps.ts';
import { knownBrowser } from './known-browser.ts';
import { inTurnOfAddress } from './password-turns.ts';

/**
 * Runs a check of a password as one of the tries of its account, or of the browser where the account has signed in with
 * it before: so nobody else's guesses keep the owner out. A try that was right, or failed for another reason, is given
 * back. Wrong ones count against the client address too, and are refused with `rate_limited` when it has no tries
 * left; right ones are not. Errors: `rate_limited`, and those of the check.
 */
export async function asGuess<T>(steps: Steps, email: string, check: () => Promise<T>): Promise<T> {
  const browser_id = await knownBrowser(steps, email);
  const tries = browser_id === null ? triesOfAccount('sign_in', email) : triesOfBrowser(browser_id);
  const seconds = await take(steps, tries);
  if (seconds > 0) {
    throw tooMany('Too many wrong passwords for this account', seconds, ', or set a new password by mail');
  }
  try {
    const result = await inTurnOfAddress(addressOf(steps), check);
    await giveBack(steps, tries);
    return result;
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'invalid_credentials')) {
      await giveBack(steps, tries);
      throw error;
    }
    const wait = await take(steps, triesOfAddress('sign_in', addressOf(steps)));
    throw wait > 0 ? tooMany('Too many wrong passwords from this address', wait) : error;
  }
}

/** Counts a request for a mail to an address, so that nobody's mailbox can be flooded. Errors: `rate_limited`. */
export async function limitMails(steps: Steps, purpose: string, email: string): Promise<void> {
  for (const tries of [triesOfAddress(purpose, addressOf(steps)), triesOfAccount(purpose, email)]) {
    const seconds = await take(steps, tries);
    if (seconds > 0) throw tooMany('Too many mails were asked for', seconds);
  }
}

function addressOf({ caller }: Steps): string {
  return addressBucket(caller.ip_address ?? '');
}

function take(steps: Steps, tries: Guess): Promise<number> {
  return steps.read(({ connection }) => takeAttempt(connection, tries, steps.caller.now));
}

function giveBack(steps: Steps, tries: Guess): Promise<void> {
  return steps.read(({ connection }) => returnAttempt(connection, tries, steps.caller.now));
}

function tooMany(sentence: string, seconds: number, otherwise = ''): Failure {
  return new Failure('rate_limited', {
    detail: `${sentence}; try again in ${seconds} s${otherwise}`,
    headers: { 'Retry-After': String(seconds) },
  });
}
