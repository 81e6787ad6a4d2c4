import { createHmac } from 'node:crypto';
import { roleGrants } from '../../shared/domains.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import { grantsWithinRole } from '../../shared/kernel/scope.ts';
import { markKeyUsed } from '../../shared/platform/access/credentials.ts';
import { isSameSecret } from '../../shared/platform/access/same-secret.ts';
import { hashOfSecret, isWellFormedSecret } from '../../shared/platform/access/secret.ts';
import type { ApiContext } from '../context.ts';
import type { Credential } from './credential.ts';
import { refuseCrossSite } from './cross-site.ts';
import { decoded } from './decoded.ts';
import { countFailure } from './guessing.ts';
import { hearsCookies } from './hears-cookies.ts';
import type { Quota } from './limits.ts';
import type { Request } from './request.ts';

/** The failure that a wrong guess has, and how many of them an address may make. */
export type Guesses = { code: FailureCode; quota: Quota };

/** Wrong keys and session cookies of an address. */
export const WRONG_CREDENTIALS: Guesses = {
  code: 'invalid_credentials',
  quota: { name: 'failed_credentials', limit: 120, window_seconds: 60 },
};

/**
 * What the names of cookies begin with. On https it is `__Host-`: browsers take such a cookie from this very host alone,
 * so no subdomain can plant one (RFC 6265bis, 4.1.3.2).
 */
export function cookiePrefix(base_url: string): string {
  return base_url.startsWith('https:') ? '__Host-service' : 'service';
}

/** The name of the session cookie. */
export function sessionCookie(base_url: string): string {
  return `${cookiePrefix(base_url)}.session_token`;
}

/** How the caller of an endpoint is found. */
type Finding = {
  find(context: ApiContext, request: Request): Promise<Credential | null>;
  guesses: Guesses | null;
};

/**
 * Finds the caller of a request, and counts a wrong guess against the address. Errors: those of `find`; `rate_limited`
 * in the place of the failure of a wrong guess after too many of an address. A right credential passes nevertheless: what
 * is well formed is looked up always, by an index and together with what else arrives in the same turn.
 */
export async function authenticate(
  context: ApiContext,
  { find, guesses }: Finding,
  request: Request,
): Promise<Credential | null> {
  try {
    return await find(context, request);
  } catch (error) {
    if (!guesses || !(error instanceof Failure && error.code === guesses.code)) throw error;
    const guesser = { bucket: addressBucket(request.ip), quota: guesses.quota, now: context.now() };
    throw countFailure(context.limits, guesser, error);
  }
}

/** Ignores credentials. */
export async function nobody(): Promise<null> {
  return null;
}

/** Finds the session of a visitor, where there is one. Errors: `cross_site_request`. */
export async function sessionOrNobody(context: ApiContext, request: Request): Promise<Credential | null> {
  refuseCrossSite(request, context.settings.baseUrl);
  return optionalSession(context, request);
}

/**
 * Finds the key or session of a caller: the Authorization header decides alone where it is sent, else the session cookie.
 * Errors: `missing_credentials`, `invalid_credentials`, `cross_site_request`.
 */
export async function keyOrSession(context: ApiContext, request: Request): Promise<Credential> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return bearer(context, authorization);
  const cookie = sessionCookieIn(context, request);
  if (cookie === undefined) throw new Failure('missing_credentials');
  const credential = await session(context, cookie);
  refuseCrossSite(request, context.settings.baseUrl);
  return credential;
}

/** The session of a visitor who has one. Other credentials, and none, are nothing to object to here. */
export async function optionalSession(context: ApiContext, request: Request): Promise<Credential | null> {
  if (!hearsCookies(request.headers.authorization)) return null;
  const cookie = sessionCookieIn(context, request);
  if (cookie === undefined) return null;
  return session(context, cookie).catch((error) => {
    if (error instanceof Failure && error.code === 'invalid_credentials') return null;
    throw error;
  });
}

function sessionCookieIn({ settings }: ApiContext, request: Request): string | undefined {
  return request.cookies.get(sessionCookie(settings.baseUrl));
}

async function bearer(context: ApiContext, authorization: string): Promise<Credential> {
  const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (!secret || !isWellFormedSecret(secret)) throw new Failure('invalid_credentials');
  const now = context.now();
  const key = await context.lookups.key(hashOfSecret(secret).toString('hex'));
  if (!key || (key.expires_at && Date.parse(key.expires_at) <= now.getTime())) {
    throw new Failure('invalid_credentials');
  }
  const unused = !key.last_used_at || now.getTime() - Date.parse(key.last_used_at) > 60_000;
  if (unused) {
    await context.database.withConnection(key.organization_id, (connection) =>
      markKeyUsed(connection, key, now),
    );
  }
  return {
    kind: 'api_key',
    id: key.id,
    user_id: key.created_by,
    organization_id: key.organization_id,
    role: key.role,
    grants: grantsWithinRole(key.scopes, roleGrants[key.role]),
    api_version: key.api_version,
  };
}

async function session(context: ApiContext, cookie: string): Promise<Credential> {
  const token = tokenOf(cookie, context.settings.authSecret);
  if (!token) throw new Failure('invalid_credentials');
  const row = await context.lookups.session(token);
  if (!row || Date.parse(row.expires_at) <= context.now().getTime()) throw new Failure('invalid_credentials');
  return {
    kind: 'session',
    id: row.id,
    user_id: row.user_id,
    organization_id: row.organization_id,
    role: row.role,
    grants: row.role ? roleGrants[row.role] : [],
    api_version: row.api_version,
  };
}

/** The token of a cookie as better-auth signs it: `token.signature`, HMAC-SHA256 in base64. */
function tokenOf(cookie: string, secret: string): string | null {
  const value = decoded(cookie) ?? '';
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const expected = createHmac('sha256', secret).update(token).digest('base64');
  return isSameSecret(value.slice(dot + 1), expected) ? token : null;
}
