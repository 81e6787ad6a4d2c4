import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { Failure } from '../../shared/kernel/failure.ts';
import { isSameSecret } from '../../shared/platform/access/same-secret.ts';
import type { ApiContext } from '../context.ts';
import { addressBucket } from '../http/address.ts';
import type { Quota } from '../http/limits.ts';
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
    if (!['GET', 'HEAD'].includes(context.method)) requireOwnPage(context, settings.baseUrl);
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
    const bucket = isKnown && limits.left(KNOWN, GUESSES, now()) > 0 ? KNOWN : address;
    if (limits.left(bucket, GUESSES, now()) === 0) await turnOf(address, goneOf(context));
    if (isSameSecret(given, password)) {
      if (!isKnown) context.append('Set-Cookie', rememberOperator(settings, now()));
      return;
    }
    limits.take(bucket, GUESSES, now());
    throw new Failure('invalid_credentials', ASK);
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
  detail: 'Give the password of OPERATOR_PASSWORD, with any user name',
  headers: { 'WWW-Authenticate': 'Basic realm="Operators", charset="UTF-8"' },
};

/** The password of HTTP Basic (RFC 7617), whatever the user name; null when there is none. */
function passwordOf(header: string): string | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header) ?? [];
  if (!encoded) return null;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return password ?? null;
}

/**
 * A browser sends the password with requests of foreign pages too. `Sec-Fetch-Site` is absent where the service is
 * reached over plain HTTP by another name than localhost: then `Origin` must be there and decides alone.
 * Errors: `cross_site_request`.
 */
function requireOwnPage(context: Context, base_url: string): void {
  const site = context.get('Sec-Fetch-Site');
  const origin = context.get('Origin');
  const is_own_origin = isOwnOrigin(origin, context.host, base_url);
  const is_own = site === '' ? is_own_origin : site === 'same-origin' && (origin === '' || is_own_origin);
  if (!is_own) throw new Failure('cross_site_request', { detail: OWN_PAGES });
}

const OWN_PAGES =
  'Changes are taken from the pages under /ops alone, at the address of BASE_URL or of the request';

/** A proxy may put its own name into Host: then the origin is known by BASE_URL. */
function isOwnOrigin(origin: string, host: string, base_url: string): boolean {
  if (!URL.canParse(origin)) return false;
  return origin === new URL(base_url).origin || new URL(origin).host === host;
}
