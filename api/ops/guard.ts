import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { Failure } from '../../shared/kernel/failure.ts';
import type { ApiContext } from '../context.ts';
import { addressBucket } from '../http/address.ts';
import type { Quota } from '../http/limits.ts';

const GUESSES: Quota = { name: 'operator_password', limit: 10, window_seconds: 900 };

/**
 * Lets operators in: by OPERATOR_PASSWORD (any user name), or, where none is set, people on the machine that runs the
 * service with its embedded database. Changes are taken from the operators' own pages alone.
 */
export function operatorsOnly({ settings, limits, now }: ApiContext): Middleware {
  const { operatorPassword, embeddedDatabase } = settings;
  const refused = new Map<string, Date>();
  return async function guardOperators(context, next) {
    context.set('Cache-Control', 'no-store');
    context.set('X-Robots-Tag', 'noindex');
    if (operatorPassword) await requirePassword(context, operatorPassword);
    else if (!embeddedDatabase || !isFromThisMachine(context)) throw new Failure('operators_only');
    if (!['GET', 'HEAD'].includes(context.method)) requireOwnPage(context);
    await next();
  };

  /** Errors: `missing_credentials`, `invalid_credentials`, `rate_limited` for an address that guesses. */
  async function requirePassword(context: Context, password: string): Promise<void> {
    const bucket = addressBucket(context.ip);
    const until = refused.get(bucket);
    if (until && until > now()) throw tooManyGuesses(until);
    refused.delete(bucket);
    const given = passwordOf(context.get('Authorization'));
    if (given === null) throw new Failure('missing_credentials', ASK);
    if (isSame(given, password)) return;
    const { remaining, reset_seconds } = limits.take(bucket, GUESSES, now());
    if (remaining === 0) refused.set(bucket, new Date(now().getTime() + reset_seconds * 1000));
    throw new Failure('invalid_credentials', ASK);
  }

  function tooManyGuesses(until: Date): Failure {
    const seconds = Math.ceil((until.getTime() - now().getTime()) / 1000);
    return new Failure('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  }
}

const ASK = { headers: { 'WWW-Authenticate': 'Basic realm="Operators", charset="UTF-8"' } };

/** The password of HTTP Basic (RFC 7617), whatever the user name; null when there is none. */
function passwordOf(header: string): string | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header) ?? [];
  if (!encoded) return null;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return password ?? null;
}

/** In a time that tells nothing of where the two differ, or of their length. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}

const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];
const LOOPBACK = /^(127(\.\d+){3}|::1|::ffff:127(\.\d+){3})$/;
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * A proxy on the same machine connects from it too, so forwarded requests do not count. Nor do those for another
 * host name: a foreign page could have its name point here.
 */
function isFromThisMachine({ req }: Context): boolean {
  if (!LOOPBACK.test(req.socket.remoteAddress ?? '')) return false;
  if (FORWARDING.some((name) => req.headers[name] !== undefined)) return false;
  return LOCAL_NAMES.has((req.headers.host ?? '').replace(/:\d+$/, ''));
}

function requireOwnPage(context: Context): void {
  const site = context.get('Sec-Fetch-Site');
  const origin = context.get('Origin');
  const is_own = site
    ? site === 'same-origin'
    : URL.canParse(origin) && new URL(origin).host === context.host;
  if (!is_own) throw new Failure('cross_site_request');
}
