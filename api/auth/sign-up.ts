import type { z } from 'zod';
import { Failure } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import { hashPassword } from '../../shared/platform/access/passwords.ts';
import type { Answer } from '../http/declaration.ts';
import { stepwise } from '../http/endpoint.ts';
import type { Steps } from '../http/steps.ts';
import { callAuth } from './call-auth.ts';
import { limitMails } from './guesses.ts';
import { rememberBrowser } from './known-browser.ts';
import { inTurnOfAddress } from './password-turns.ts';
import { SignedUp, SignUp } from './schemas.ts';
import { withCookie } from './sign-in.ts';

export const signUpPaths = [
  stepwise({
    id: 'auth.sign_up',
    method: 'post',
    path: '/api/v1/auth/sign-up/email',
    scope: 'visitor',
    summary: 'Sign up',
    description:
      'Makes an account and signs in. Where addresses must be confirmed, a mail goes out instead, and an address that has an account already is answered in the same way.',
    body: SignUp,
    reply: SignedUp,
    raises: ['sign_up_closed', 'already_exists'],
    handle: ({ body }, steps) => signUp(steps, body),
  }),
];

/** Makes an account. Errors: `sign_up_closed`, `already_exists` (only where addresses need no confirmation). */
export async function signUp(
  steps: Steps,
  body: z.output<typeof SignUp>,
): Promise<Answer<z.input<typeof SignedUp>>> {
  const { settings } = steps.context;
  if (settings.signUp === 'invited') throw new Failure('sign_up_closed');
  if (settings.requireEmailVerification) await limitMails(steps, 'sign_up', body.email);
  // Always made, and before anything is looked up: the time of the answer does not tell which addresses are known.
  const address = addressBucket(steps.caller.ip_address ?? '');
  const password_hash = await inTurnOfAddress(address, () => hashPassword(body.password));
  const make = () =>
    callAuth<z.input<typeof SignedUp>>(
      steps,
      (api, headers) => api.signUpEmail({ body, headers, returnHeaders: true }),
      password_hash,
    );
  // Of two that sign up with one address at once the second one finds the account of the first at its second try.
  const answer = await make().catch((error) => (isTaken(error) ? make() : Promise.reject(error)));
  return answer.body.token === null ? answer : withCookie(answer, await rememberBrowser(steps, body.email));
}

function isTaken(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'users_email_key';
}
