import { createHmac, randomBytes } from 'node:crypto';
import { SESSION_SECONDS } from '../../shared/platform/access/sessions/operations.ts';
import type { Settings } from '../../shared/platform/settings/settings.ts';
import { sessionCookie } from '../http/authenticate.ts';

/** A token for a session that this service opens itself: 256 bits, of letters that a cookie takes as they are. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** When a session that is opened now ends. */
export function sessionExpiry(now: Date): string {
  return new Date(now.getTime() + SESSION_SECONDS * 1000).toISOString();
}

/** The name that the session cookie had on https before it was bound to the host. */
const EARLIER = '__Secure-service.session_token';

/** The Set-Cookie headers that take an earlier release's cookie back: it is not read, since a subdomain may plant it. */
export function earlierCookieEnded(headers: Headers): string[] {
  const isSent = headers.get('Cookie')?.includes(`${EARLIER}=`) ?? false;
  return isSent ? [`${EARLIER}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`] : [];
}

/** The Set-Cookie header for a session, signed and named as better-auth does it. */
export function setSessionCookie({ baseUrl, authSecret }: Settings, token: string): string {
  const signature = createHmac('sha256', authSecret).update(token).digest('base64');
  const secure = baseUrl.startsWith('https:') ? ['Secure'] : [];
  return [
    `${sessionCookie(baseUrl)}=${encodeURIComponent(`${token}.${signature}`)}`,
    `Max-Age=${SESSION_SECONDS}`,
    'Path=/',
    'HttpOnly',
    ...secure,
    'SameSite=Lax',
  ].join('; ');
}
