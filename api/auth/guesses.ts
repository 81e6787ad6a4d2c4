import { Failure } from '../../shared/kernel/failure.ts';
import { sameText, type Text } from '../../shared/kernel/language.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import {
  type Guess,
  mailsTo,
  returnAttempt,
  secondsToAttempt,
  takeAttempt,
  triesFromSpentAddresses,
  triesOfAccount,
  triesOfAddress,
  triesOfBrowser,
} from '../../shared/platform/access/attempts.ts';
import type { Steps } from '../http/steps.ts';
import { knownBrowser } from './known-browser.ts';
import { inTurnOfAddress } from './password-turns.ts';

/**
 * Runs a check of a password as one of the tries of its account, or of the browser where the account has signed in with
 * it before: so nobody else's guesses keep the owner out. A client address without tries of its own takes none of the
 * account's: such addresses share others. A try that was right, or failed for another reason, is given back. Wrong ones,
 * and those that the account has no try for, count against the client address too; a wrong one is refused with
 * `rate_limited` when the address has no tries left, a right one is not. Errors: `rate_limited`, and those of the check.
 */
export async function asGuess<T>(steps: Steps, email: string, check: () => Promise<T>): Promise<T> {
  const tries = await triesFor(steps, email);
  const seconds = await take(steps, tries);
  if (seconds > 0) {
    await take(steps, triesOfClient(steps));
    throw tooMany(ACCOUNT, seconds, BY_MAIL);
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
    const wait = await take(steps, triesOfClient(steps));
    throw wait > 0 ? tooMany(ADDRESS, wait) : error;
  }
}

async function triesFor(steps: Steps, email: string): Promise<Guess> {
  const browser_id = await knownBrowser(steps, email);
  if (browser_id !== null) return triesOfBrowser(browser_id);
  const wait = await steps.read(({ connection }) =>
    secondsToAttempt(connection, triesOfClient(steps), steps.caller.now),
  );
  return wait > 0 ? triesFromSpentAddresses(email) : triesOfAccount(email);
}

function triesOfClient(steps: Steps): Guess {
  return triesOfAddress('sign_in', addressOf(steps));
}

/** Counts a request for a mail to an address, so that nobody's mailbox can be flooded. Errors: `rate_limited`. */
export async function limitMails(steps: Steps, purpose: string, email: string): Promise<void> {
  for (const tries of [triesOfAddress(purpose, addressOf(steps)), mailsTo(purpose, email)]) {
    const seconds = await take(steps, tries);
    if (seconds > 0) throw tooMany(MAILS, seconds);
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

const ACCOUNT = {
  en: 'Too many wrong passwords for this account',
  ja: 'このアカウントで誤ったパスワードが続いています',
};
const ADDRESS = {
  en: 'Too many wrong passwords from this address',
  ja: 'このアドレスから誤ったパスワードが続いています',
};
const MAILS = { en: 'Too many mails were asked for', ja: 'メールの依頼が多すぎます' };
const BY_MAIL = {
  en: ', or set a new password by mail',
  ja: '（またはメールでパスワードを再設定してください）',
};

function tooMany(sentence: Text, seconds: number, otherwise = sameText('')): Failure {
  return new Failure('rate_limited', {
    detail: {
      en: `${sentence.en}; try again in ${seconds} s${otherwise.en}`,
      ja: `${sentence.ja}。${seconds}秒後にもう一度お試しください${otherwise.ja}`,
    },
    headers: { 'Retry-After': String(seconds) },
  });
}
