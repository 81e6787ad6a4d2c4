import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { Failure } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import { isSameSecret } from '../../shared/platform/access/same-secret.ts';
import type { ApiContext } from '../context.ts';
import { requireOwnPage } from '../http/cross-site.ts';
import { countFailure, type Guesser, hasGuesses } from '../http/guessing.ts';
import type { Quota } from '../http/limits.ts';
import type { Request } from '../http/request.ts';
import { isKnownOperator, rememberOperator } from './known-operator.ts';
import { slowTurns } from './slow-turns.ts';

/** Wrong passwords from one address, or from all known browsers, that are answered at once; later ones wait their turn. */
const GUESSES: Quota = { name: 'operator_password', limit: 10, window_seconds: 900 };

/**
 * Lets operators in by OPERATOR_PASSWORD (HTTP Basic, any user name) and by nothing else: whoever connects from this
 * machine may be a proxy that hands on a stranger's request. Without a password the pages are closed. Changes are
 * taken from the operators' own pages alone.
 */
export function operatorsOnly({ settings, limits, time_limits, ending, now }: ApiContext): Middleware {
  const { operatorPassword } = settings;
  const turnOf = slowTurns(() => pause(time_limits.guess, undefined, { ref: false }));
  return async function guardOperators(context, next) {
    context.set('Cache-Control', 'no-store');
    context.set('X-Robots-Tag', 'noindex');
    if (!operatorPassword) throw new Failure('operators_only');
    await requirePassword(context, operatorPassword);
    requireOwnPage(context as unknown as Request, settings.baseUrl, OWN_PAGES);
    await next();
  };

  /**
   * A right password passes, and so each comparison tells something: an address that has guessed too often waits for its
   * turn before one. Errors: `missing_credentials`, `invalid_credentials`, `rate_limited`.
   */
  async function requirePassword(context: Context, password: string): Promise<void> {
    const given = passwordOf(context.get('Authorization'));
    if (given === null) throw new Failure('missing_credentials', ASK);
    const isKnown = isKnownOperator(context, settings, now());
    const address = addressBucket(context.ip);
    const known = guesserOf(KNOWN);
    const guesser = isKnown && hasGuesses(limits, known) ? known : guesserOf(address);
    if (!hasGuesses(limits, guesser)) await turnOf(address, goneOf(context));
    if (!isSameSecret(given, password)) {
      throw countFailure(limits, guesser, new Failure('invalid_credentials', ASK));
    }
    if (!isKnown) context.append('Set-Cookie', rememberOperator(settings, now()));
  }

  function guesserOf(bucket: string): Guesser {
    return { bucket, quota: GUESSES, now: now() };
  }

  function goneOf({ res }: Context): AbortSignal {
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    return AbortSignal.any([gone.signal, ending]);
  }
}

/** The bucket of the browsers that the right password came from. */
const KNOWN = 'known browsers';

const ASK = {
  detail: {
    en: 'Give the password of OPERATOR_PASSWORD, with any user name',
    ja: 'OPERATOR_PASSWORD のパスワードを入力してください。ユーザー名は任意です',
  },
  headers: { 'WWW-Authenticate': 'Basic realm="Operators", charset="UTF-8"' },
};

/** The password of HTTP Basic (RFC 7617), whatever the user name; null when there is none. */
function passwordOf(header: string): string | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header) ?? [];
  if (!encoded) return null;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return password ?? null;
}

const OWN_PAGES = {
  en: 'Changes are taken from the pages under /ops alone, at the address of BASE_URL or of the request',
  ja: '変更できるのは、BASE_URLまたはリクエストのアドレスにある /ops 以下のページからだけです',
};
