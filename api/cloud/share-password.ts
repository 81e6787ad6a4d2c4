import { createHmac, randomBytes } from 'node:crypto';
import type { ShareRow } from '../../shared/cloud/shares/queries.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import {
  returnAttempt,
  secondsToAttempt,
  takeAttempt,
  triesOfShare,
  triesOfShareFromAnywhere,
} from '../../shared/platform/access/attempts.ts';
import { isPasswordOf } from '../../shared/platform/access/passwords.ts';
import { inTurnOfAddress } from '../auth/password-turns.ts';
import type { Steps } from '../http/steps.ts';

type Locked = Pick<ShareRow, 'id' | 'password_hash'>;

/**
 * Sees that a guest knows the password of a share, where it has one. An address has 10 wrong tries with it in 15 minutes,
 * and all addresses together have 100, exactly, over all processes; after these the right one does not help either, since who
 * guesses could not be told from who knows: but for who has proven it before, in a browser or a while ago. Errors: `share_password`, `rate_limited`.
 */
export async function requireSharePassword(
  steps: Steps,
  { id, password_hash }: Locked,
  sent: string | null,
): Promise<void> {
  if (password_hash === null) return;
  if (sent === null) throw new Failure('share_password');
  const address = addressBucket(steps.caller.ip_address ?? '');
  const tries = triesOfShare(id, address);
  const triesOfAll = triesOfShareFromAnywhere(id);
  const { now } = steps.caller;
  const waiting = await steps.read(({ connection }) => secondsToAttempt(connection, tries, now));
  if (waiting > 0) throw tooMany(waiting);
  const proof = proofOf(password_hash, sent);
  if (isProven(proof, now)) return;
  await inTurnOfAddress(address, async () => {
    if (isProven(proof, now)) return;
    const seconds = await steps.read(({ connection }) => takeAttempt(connection, tries, now));
    if (seconds > 0) throw tooMany(seconds);
    const secondsOfAll = await steps.read(({ connection }) => takeAttempt(connection, triesOfAll, now));
    if (secondsOfAll > 0) throw tooMany(secondsOfAll);
    if (!(await isPasswordOf(password_hash, sent))) throw new Failure('share_password');
    await steps.read(async ({ connection }) => {
      await returnAttempt(connection, tries, now);
      await returnAttempt(connection, triesOfAll, now);
    });
    remember(proof, now);
  });
}

function tooMany(seconds: number): Failure {
  return new Failure('rate_limited', {
    detail: {
      en: `Too many wrong passwords for this share; try again in ${seconds} s`,
      ja: `この共有で誤ったパスワードが続いています。${seconds}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Milliseconds that a process knows a right password again without hashing it, and how many it knows. */
const KNOWN_FOR = 10 * 60_000;
const MOST_KNOWN = 1_000;

/** Drawn at each start: what is remembered says nothing outside of this process. */
const KEY = randomBytes(32);

/** When each was proven. A program sends the password with each of a thousand files; hashing it takes 80 ms. */
const proven = new Map<string, number>();

/** Of the hash too: a password that was changed is not known any more. */
function proofOf(password_hash: string, password: string): string {
  return createHmac('sha256', KEY)
    .update(JSON.stringify([password_hash, password]))
    .digest('base64url');
}

function isProven(proof: string, now: Date): boolean {
  const at = proven.get(proof);
  return at !== undefined && now.getTime() - at < KNOWN_FOR;
}

function remember(proof: string, now: Date): void {
  proven.delete(proof);
  proven.set(proof, now.getTime());
  const [oldest] = proven.keys();
  if (proven.size > MOST_KNOWN) proven.delete(oldest!);
}
