import { createHmac } from 'node:crypto';
import type { ShareRow } from '../../../shared/cloud/shares/queries.ts';
import { isSameSecret } from '../../../shared/platform/access/same-secret.ts';
import type { Steps } from '../../http/steps.ts';

type Locked = Pick<ShareRow, 'id' | 'password_hash'>;

const HOURS = 12;
const HOUR = 60 * 60_000;

/** Browsers take one with the prefix from https alone. `__Host-` would open every path to it. */
function cookieName(base_url: string): string {
  return base_url.startsWith('https:') ? '__Secure-service.share' : 'service.share';
}

/**
 * The Set-Cookie header for a browser that has shown the password of a share, below its path alone. It has a time and an
 * HMAC over that and the password's hash: the password cannot be read from it, and another password ends it.
 */
export function provenCookie(steps: Steps, share: Locked, path: string): string {
  const { baseUrl } = steps.context.settings;
  const ends = (steps.caller.now.getTime() + HOURS * HOUR).toString(36);
  return [
    `${cookieName(baseUrl)}=${ends}.${signatureOf(steps, share, ends)}`,
    `Max-Age=${(HOURS * HOUR) / 1000}`,
    `Path=${path}`,
    'HttpOnly',
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');
}

/** Whether the browser has shown the password that the share has now. */
export function isProven(steps: Steps, share: Locked): boolean {
  const begin = `${cookieName(steps.context.settings.baseUrl)}=`;
  const cookies = (steps.headers.get('Cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.some(
    (cookie) => cookie.startsWith(begin) && isValid(steps, share, cookie.slice(begin.length)),
  );
}

function isValid(steps: Steps, share: Locked, value: string): boolean {
  const [, ends, signature] = /^([0-9a-z]{1,11})\.([\w-]{43})$/.exec(value) ?? [];
  if (!ends || !signature) return false;
  const isOver = Number.parseInt(ends, 36) <= steps.caller.now.getTime();
  return !isOver && isSameSecret(signature, signatureOf(steps, share, ends));
}

function signatureOf({ context }: Steps, { id, password_hash }: Locked, ends: string): string {
  return createHmac('sha256', context.settings.authSecret)
    .update(JSON.stringify(['share', id, password_hash, ends]))
    .digest('base64url');
}
