import { createHmac } from 'node:crypto';
import type { Context } from 'koa';
import { DAY } from '../../shared/kernel/days.ts';
import { isSameSecret } from '../../shared/platform/access/same-secret.ts';
import type { Settings } from '../../shared/platform/settings/settings.ts';

/** Days that a browser is known after the right password came from it. */
const KNOWN_DAYS = 30;

/** Whether the right password came from this browser before: its guesses are then not those of a stranger. */
export function isKnownOperator(context: Context, settings: Settings, now: Date): boolean {
  const [, issued, signature] =
    /^([0-9a-z]{1,11})\.([\w-]{43})$/.exec(context.cookies.get(cookieName(settings)) ?? '') ?? [];
  if (!issued || !signature) return false;
  const isRecent = Number.parseInt(issued, 36) > now.getTime() - KNOWN_DAYS * DAY;
  return isRecent && isSameSecret(signature, signatureOf(settings, issued));
}

/**
 * The Set-Cookie header that makes known the browser from which the right password came. The signature covers the
 * password: with another one no browser is known. The cookie opens nothing.
 */
export function rememberOperator(settings: Settings, now: Date): string {
  const issued = now.getTime().toString(36);
  return [
    `${cookieName(settings)}=${issued}.${signatureOf(settings, issued)}`,
    `Max-Age=${(KNOWN_DAYS * DAY) / 1000}`,
    'Path=/',
    'HttpOnly',
    ...(settings.baseUrl.startsWith('https:') ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');
}

/** Browsers keep the prefixed cookie to https and to this host. */
function cookieName({ baseUrl }: Settings): string {
  return baseUrl.startsWith('https:') ? '__Host-service.operator' : 'service.operator';
}

function signatureOf({ authSecret, operatorPassword }: Settings, issued: string): string {
  const text = ['known operator', operatorPassword, issued].join('\n');
  return createHmac('sha256', authSecret).update(text).digest('base64url');
}
