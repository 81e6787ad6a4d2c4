import { z } from 'zod';
import { Answer } from '../http/declaration.ts';
import { stepwise } from '../http/endpoint.ts';
import type { Steps } from '../http/steps.ts';
import { callAuth } from './call-auth.ts';
import { asGuess } from './guesses.ts';
import { rememberBrowser } from './known-browser.ts';
import { AuthSession, AuthUser, SignedIn, SignIn } from './schemas.ts';

const CurrentSession = z.union([z.strictObject({ session: AuthSession, user: AuthUser }), z.null()]);
const SignedOut = z.strictObject({ success: z.literal(true) });

export const sessionPaths = [
  stepwise({
    id: 'auth.sign_in',
    method: 'post',
    path: '/api/v1/auth/sign-in/email',
    scope: 'visitor',
    summary: 'Sign in',
    description:
      'Opens a session and sets its cookie. It acts in the organization that the person used last. In 15 minutes an account has 10 wrong tries; a browser that the account has signed in with before has 10 of its own, and a new password by mail gives them back. Beyond 30 wrong tries of a client address further wrong ones are refused with 429.',
    body: SignIn,
    reply: SignedIn,
    raises: ['invalid_credentials', 'email_not_verified'],
    handle: ({ body }, steps) => signIn(steps, body),
  }),
  stepwise({
    id: 'auth.sign_out',
    method: 'post',
    path: '/api/v1/auth/sign-out',
    scope: 'visitor',
    summary: 'Sign out',
    description: 'Ends the session and takes its cookie back.',
    reply: SignedOut,
    handle: (_, steps) => signOut(steps),
  }),
  stepwise({
    id: 'auth.get_session',
    method: 'get',
    path: '/api/v1/auth/get-session',
    scope: 'visitor',
    summary: 'Read the session',
    description:
      'Answers null without a session. A session in use is renewed for another seven days once a day.',
    reply: CurrentSession,
    handle: (_, steps) =>
      callAuth<z.input<typeof CurrentSession>>(steps, (api, headers) =>
        api.getSession({ headers, returnHeaders: true }),
      ),
  }),
];

/**
 * Opens a session, and makes the browser known to the account. Errors: `invalid_credentials`, `email_not_verified`,
 * `rate_limited`.
 */
export async function signIn(
  steps: Steps,
  body: z.output<typeof SignIn>,
): Promise<Answer<z.input<typeof SignedIn>>> {
  const answer = await asGuess(steps, body.email, () =>
    callAuth<z.input<typeof SignedIn>>(steps, (api, headers) =>
      api.signInEmail({ body, headers, returnHeaders: true }),
    ),
  );
  return withCookie(answer, await rememberBrowser(steps, body.email));
}

/** The answer with one more cookie, after its own. */
export function withCookie<Body>({ status, body, headers }: Answer<Body>, cookie: string): Answer<Body> {
  return new Answer(status, body, { ...headers, 'Set-Cookie': [headers['Set-Cookie'] ?? [], cookie].flat() });
}

/** Ends the session that the request came with. */
export function signOut(steps: Steps): Promise<Answer<z.input<typeof SignedOut>>> {
  return callAuth(steps, async (api, headers) => {
    const { headers: cookies } = await api.signOut({ headers, returnHeaders: true });
    return { headers: cookies, response: { success: true } };
  });
}
