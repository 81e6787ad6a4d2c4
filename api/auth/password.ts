import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Failure, invalid } from '../../shared/kernel/failure.ts';
import { livingKeysOf, revokeEveryKeyOf } from '../../shared/platform/access/api-keys/of-person.ts';
import {
  forgetAttempts,
  triesFromSpentAddresses,
  triesOfAccount,
} from '../../shared/platform/access/attempts.ts';
import { accountEmail } from '../../shared/platform/access/names.ts';
import {
  hashPassword,
  isPasswordOf,
  knownPassword,
  newPassword,
} from '../../shared/platform/access/passwords.ts';
import { personActor, renewToken } from '../../shared/platform/access/sessions/operations.ts';
import { markVerified, requirePassword, setPassword } from '../../shared/platform/access/users/operations.ts';
import { accountByEmail, accountOfUser, userById } from '../../shared/platform/access/users/queries.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import { sendPasswordReset } from '../../shared/platform/mailer/account-mails.ts';
import {
  accountOfLink,
  findAccountToken,
  passwordResetLinks,
  useAccountToken,
} from '../../shared/platform/mailer/account-tokens.ts';
import { Answer } from '../http/declaration.ts';
import { stepwise } from '../http/endpoint.ts';
import { forAccount, type Steps } from '../http/steps.ts';
import { asGuess, limitMails } from './guesses.ts';
import { rememberBrowser } from './known-browser.ts';
import { AuthUser, done, Unused } from './schemas.ts';
import { newSessionToken, setSessionCookie } from './session-cookie.ts';

const Asked = z.strictObject({
  status: z.literal(true),
  message: z.string().meta({ examples: ['If the address has an account, a mail with a link is on its way'] }),
});
const Reset = z.strictObject({
  status: z.literal(true),
  livingApiKeys: z
    .int()
    .describe('API keys of the person that still work.')
    .meta({ examples: [0] }),
});
const Changed = z.strictObject({ token: z.string().meta({ examples: ['f3kq0Zr8'] }), user: AuthUser });

/** The token of a link in a mail. */
export const LinkToken = z
  .string()
  .min(1)
  .max(200)
  .describe('The last part of the link in the mail.')
  .meta({ examples: ['Jk3yVbq0m1c9sXz8r5TtAw'] });

export const passwordPaths = [
  stepwise({
    id: 'auth.request_password_reset',
    method: 'post',
    path: '/api/v1/auth/request-password-reset',
    scope: 'visitor',
    summary: 'Ask for a link to set a new password',
    description: 'Answers the same whether the address has an account or not.',
    body: z.strictObject({
      email: accountEmail(),
      redirectTo: Unused.optional(),
    }),
    reply: Asked,
    handle: async ({ body }, steps) => {
      await requestPasswordReset(steps, body.email);
      return { ...done, message: 'If the address has an account, a mail with a link is on its way' };
    },
  }),
  stepwise({
    id: 'auth.reset_password',
    method: 'post',
    path: '/api/v1/auth/reset-password',
    scope: 'visitor',
    summary: 'Set a new password with the link of a mail',
    description:
      'All sessions of the account end. The address counts as confirmed, and a cookie makes the browser known to the account. API keys that the person made go on, unless `revokeApiKeys` is sent; `livingApiKeys` says how many there are.',
    body: z.strictObject({
      newPassword: newPassword(),
      token: LinkToken,
      revokeApiKeys: z
        .boolean()
        .describe('true: every API key that the person made, in all organizations, is revoked too.')
        .optional(),
    }),
    reply: Reset,
    raises: ['expired'],
    handle: async ({ body }, steps) => {
      const { living, cookie } = await resetPassword(steps, body.token, body.newPassword, body.revokeApiKeys);
      return new Answer(200, { ...done, livingApiKeys: living.count }, { 'Set-Cookie': cookie });
    },
  }),
  stepwise({
    id: 'auth.revoke_api_keys',
    method: 'post',
    path: '/api/v1/auth/revoke-api-keys',
    scope: 'account',
    summary: 'Revoke every API key of the signed-in person',
    description: 'All living keys that the person made, in all their organizations, end at once.',
    reply: z.strictObject({ status: z.literal(true), revokedApiKeys: z.int().meta({ examples: [3] }) }),
    handle: async (_, steps) => {
      const revokedApiKeys = await revokeEveryKey(steps, steps.caller.actor.user_id!);
      return { ...done, revokedApiKeys };
    },
  }),
  stepwise({
    id: 'auth.change_password',
    method: 'post',
    path: '/api/v1/auth/change-password',
    scope: 'account',
    summary: 'Change the password',
    description: 'All other sessions end; this one goes on with a new cookie.',
    body: z.strictObject({
      currentPassword: knownPassword(),
      newPassword: newPassword(),
      revokeOtherSessions: z.boolean().describe('They always end.').optional(),
    }),
    reply: Changed,
    handle: ({ body, client }, steps) => changePassword(steps, client.session_id!, body),
  }),
];

/** Milliseconds before an answer that must not tell whether there was anything to do. */
const SILENCE = 300;

/** Sends the link where the address has an account, and says nothing of it, not even by its time. */
export async function requestPasswordReset(steps: Steps, email: string): Promise<void> {
  await limitMails(steps, 'password_reset', email);
  const asked = async () => {
    const account = await steps.read(({ connection }) => accountByEmail(connection, email));
    if (!account) return;
    await steps.write(forAccount, async (work) => {
      await sendPasswordReset(work, account.user_id);
    });
  };
  await Promise.all([asked(), pause(SILENCE)]);
}

/** Keys that are named to the person after a reset. */
const NAMED_KEYS = 20;

type LivingKeys = Awaited<ReturnType<typeof livingKeysOf>>;

/**
 * Sets a password with the token of a mail and ends all sessions of the account, and its keys where asked. Wrong
 * passwords that were tried before no longer keep its owner out, and further tries do not
 * either: the answer's cookie makes the browser known. Answers the keys that still work, and that cookie.
 * Errors: `expired`.
 */
export async function resetPassword(
  steps: Steps,
  token: string,
  password: string,
  revokes_keys = false,
): Promise<{ living: LivingKeys; cookie: string }> {
  const { now } = steps.caller;
  const found = await steps.read(({ connection }) =>
    findAccountToken(connection, passwordResetLinks, token, now),
  );
  if (!found) throw new Failure('expired');
  const password_hash = await hashPassword(password);
  await steps.write({ ...forAccount, actor: personActor(found.user_id) }, async (work) => {
    const used = await useAccountToken(work.connection, passwordResetLinks, token, now);
    if (!used) throw new Failure('expired');
    setPassword(work, used.user_id, password_hash, null);
    markVerified(work, used.user_id);
    await forgetAttempts(work.connection, triesOfAccount(used.email));
    await forgetAttempts(work.connection, triesFromSpentAddresses(used.email));
    if (revokes_keys) await revokeEveryKeyOf(work, used.user_id);
  });
  const living = await steps.read(({ connection }) =>
    livingKeysOf(connection, found.user_id, now, NAMED_KEYS),
  );
  return { living, cookie: await rememberBrowser(steps, found.email) };
}

/** Revokes every key of who set a new password with that link a moment ago; answers how many. Errors: `expired`. */
export async function revokeKeysAfterReset(steps: Steps, link: Link): Promise<number> {
  const account = await steps.read(({ connection }) => accountOfLink(connection, link));
  if (!account) throw new Failure('expired');
  return revokeEveryKey(steps, account.user_id);
}

function revokeEveryKey(steps: Steps, user_id: string): Promise<number> {
  return steps.write({ ...forAccount, actor: personActor(user_id) }, (work) =>
    revokeEveryKeyOf(work, user_id),
  );
}

/**
 * Sets another password. The session's token is renewed too: a copied cookie ends with the others.
 * Errors: `validation_failed` for a wrong present password, `rate_limited`.
 */
async function changePassword(
  steps: Steps,
  session_id: string,
  body: { currentPassword: string; newPassword: string },
): Promise<Answer<z.input<typeof Changed>>> {
  const { caller, context } = steps;
  const user_id = caller.actor.user_id!;
  const account = await steps.read(({ connection }) => accountOfUser(connection, user_id));
  const { email, password_hash } = account!;
  await asGuess(steps, email, async () => {
    if (!(await isPasswordOf(password_hash, body.currentPassword))) throw new Failure('invalid_credentials');
  }).catch((error) => {
    if (!(error instanceof Failure && error.code === 'invalid_credentials')) throw error;
    throw invalid('/currentPassword', 'wrong_password', {
      en: 'currentPassword is not the present password',
      ja: 'currentPassword が現在のパスワードと一致しません',
    });
  });
  const fresh_hash = await hashPassword(body.newPassword);
  const token = newSessionToken();
  const user = await steps.write(forAccount, async (work) => {
    await requirePassword(work, user_id, password_hash!);
    setPassword(work, user_id, fresh_hash, session_id);
    renewToken(work, session_id, token);
    return userById(work.connection, user_id);
  });
  const cookies = [setSessionCookie(context.settings, token), await rememberBrowser(steps, email)];
  const headers = { 'Set-Cookie': cookies };
  return new Answer(200, { token, user }, headers);
}
