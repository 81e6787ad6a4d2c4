import { createHmac, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../shared/kernel/failure.ts';
import { type Grant, grantsOfRole, grantsWithinRole, type Role } from '../../shared/kernel/scope.ts';
import { markKeyUsed } from '../../shared/platform/access/credentials.ts';
import { hashOfSecret, isWellFormedSecret } from '../../shared/platform/access/secret.ts';
import type { ApiContext } from '../context.ts';
import type { Request } from './request.ts';

/** Who asks, once proven. `organization_id` is null for a session without an active organization. */
export type Credential = {
  kind: 'api_key' | 'session';
  /** The key's or the session's ID: limits and idempotency are kept by it. */
  id: string;
  user_id: string;
  organization_id: string | null;
  role: Role | null;
  grants: readonly Grant[];
  /** The organization's pinned version. */
  api_version: string | null;
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

/**
 * Proves who asks: the Authorization header decides alone where it is sent, else the session cookie.
 * Errors: `missing_credentials`, `invalid_credentials`.
 */
export async function authenticate(context: ApiContext, request: Request): Promise<Credential> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return bearer(context, authorization);
  const cookie = request.cookies.get(sessionCookie(context.settings.baseUrl));
  if (cookie === undefined) throw new Failure('missing_credentials');
  return session(context, cookie);
}

/** The session of a visitor who has one. Other credentials, and none, are nothing to object to here. */
export async function optionalSession(context: ApiContext, request: Request): Promise<Credential | null> {
  if (request.headers.authorization !== undefined) return null;
  const cookie = request.cookies.get(sessionCookie(context.settings.baseUrl));
  if (cookie === undefined) return null;
  return session(context, cookie).catch((error) => {
    if (error instanceof Failure && error.code === 'invalid_credentials') return null;
    throw error;
  });
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
    grants: grantsWithinRole(key.scopes, key.role),
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
    grants: row.role ? grantsOfRole(row.role) : [],
    api_version: row.api_version,
  };
}

/** The token of a cookie as better-auth signs it: `token.signature`, HMAC-SHA256 in base64. */
function tokenOf(cookie: string, secret: string): string | null {
  const value = decode(cookie);
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const expected = createHmac('sha256', secret).update(token).digest();
  const given = Buffer.from(value.slice(dot + 1), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
