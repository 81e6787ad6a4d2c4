import type { ApiContext } from '../context.ts';
import { Answer } from '../http/declaration.ts';
import type { Steps } from '../http/steps.ts';
import type { Auth } from './better-auth.ts';
import { type Call, duringCall } from './call.ts';
import { earlierCookieEnded } from './session-cookie.ts';

const made = new WeakMap<ApiContext, Auth>();

/** better-auth loads hundreds of modules, as much as the rest of the API: not for a command or a test without sign-ins. */
export function loadAuth() {
  return import('./better-auth.ts');
}

/**
 * Calls one of better-auth's own paths for a request. Answers its body as JSON has it, with its cookies.
 * `password_hash` is the hash of a new password, made before. Errors: those of `failureOfAuth`.
 */
export async function callAuth<Body>(
  steps: Steps,
  run: (api: Auth['api'], headers: Headers) => Promise<{ headers?: Headers | null; response: unknown }>,
  password_hash: string | null = null,
): Promise<Answer<Body>> {
  const call: Call = { steps, work: null, password_hash, proven_hash: null, error: null };
  const { makeAuth, failureOfAuth } = await loadAuth();
  const auth = made.get(steps.context) ?? makeAuth(steps.context);
  made.set(steps.context, auth);
  const result = await duringCall(call, () => run(auth.api, steps.headers)).catch((error) => {
    throw failureOfAuth(call.error ?? error);
  });
  if (call.error) throw call.error;
  const cookies = [...(result.headers?.getSetCookie() ?? []), ...earlierCookieEnded(steps.headers)];
  const body = JSON.parse(JSON.stringify(result.response ?? null)) as Body;
  return new Answer(200, body, cookies.length > 0 ? { 'Set-Cookie': cookies } : {});
}
