import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { accountEmail } from '../../shared/platform/access/names.ts';
import { isPasswordOf } from '../../shared/platform/access/passwords.ts';
import { markVerified } from '../../shared/platform/access/users/operations.ts';
import { accountByEmail, accountOfUser } from '../../shared/platform/access/users/queries.ts';
import { sendEmailVerification } from '../../shared/platform/mailer/account-mails.ts';
import {
  emailVerificationLinks,
  findAccountToken,
  useAccountToken,
} from '../../shared/platform/mailer/account-tokens.ts';
import type { Answer } from '../http/declaration.ts';
import { stepwise, write } from '../http/endpoint.ts';
import { forAccount, type Steps } from '../http/steps.ts';
import { asGuess, limitMails } from './guesses.ts';
import { LinkToken } from './password.ts';
import { done, type SignedIn, Status, Unused } from './schemas.ts';
import { signIn } from './sign-in.ts';

export const verificationPaths = [
  stepwise({
    id: 'auth.send_verification_email',
    method: 'post',
    path: '/api/v1/auth/send-verification-email',
    scope: 'visitor',
    summary: 'Ask for the link that confirms an address',
    description: 'Answers the same whether the address has an account that waits for it or not.',
    body: z.strictObject({
      email: accountEmail(),
      callbackURL: Unused.optional(),
    }),
    reply: Status,
    handle: async ({ body }, steps) => {
      await sendVerification(steps, body.email);
      return done;
    },
  }),
  write({
    id: 'auth.verify_email',
    method: 'get',
    path: '/api/v1/auth/verify-email',
    scope: 'visitor',
    summary: 'Confirm an address with the link of a mail',
    description: 'For programs; the link in the mail leads to a page that asks for the password first.',
    query: z.strictObject({ token: LinkToken }),
    reply: z.strictObject({ status: z.literal(true), user: z.null() }),
    raises: ['expired'],
    handle: async ({ query }, work) => {
      await verifyEmail(work, query.token);
      return { ...done, user: null };
    },
  }),
];

const SILENCE = 300;

/** Sends the link where the address waits for it, and says nothing of it, not even by its time. */
export async function sendVerification(steps: Steps, email: string): Promise<void> {
  await limitMails(steps, 'verification', email);
  const asked = async () => {
    const account = await steps.read(({ connection }) => accountByEmail(connection, email));
    if (!account || account.email_verified) return;
    await steps.write(forAccount, async (work) => {
      await sendEmailVerification(work, account.user_id);
    });
  };
  await Promise.all([asked(), pause(SILENCE)]);
}

/** Uses the link up. Errors: `expired`. */
async function verifyEmail(work: Work, token: string): Promise<void> {
  const used = await useAccountToken(work.connection, emailVerificationLinks, token, work.now);
  if (!used) throw new Failure('expired');
  markVerified(work, used.user_id);
  work.nothingChanged();
}

/**
 * Confirms the address of a link and signs in. Asks for the password, since the link alone would also confirm an
 * account that somebody else made with this address and a password of theirs.
 * Errors: `expired`, `invalid_credentials`, `rate_limited`.
 */
export async function verifyAndSignIn(
  steps: Steps,
  token: string,
  password: string,
): Promise<Answer<z.input<typeof SignedIn>>> {
  const { now } = steps.caller;
  const account = await steps.read(async ({ connection }) => {
    const found = await findAccountToken(connection, emailVerificationLinks, token, now);
    return found && accountOfUser(connection, found.user_id);
  });
  if (!account) throw new Failure('expired');
  await asGuess(steps, account.email, async () => {
    if (!(await isPasswordOf(account.password_hash, password))) throw new Failure('invalid_credentials');
  });
  await steps.write(forAccount, (work) => verifyEmail(work, token));
  return signIn(steps, { email: account.email, password });
}
