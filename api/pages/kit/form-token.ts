import { createHmac, randomBytes } from 'node:crypto';
import type { Settings } from '../../../shared/platform/settings/settings.ts';
import type { Credential } from '../../http/credential.ts';
import type { Request } from '../../http/request.ts';

/** The field that each form of these pages has. */
export const TOKEN_FIELD = 'form_token';

/**
 * What ties forms to the person they were shown to. Before sign-in there is no session: then the browser keeps a random
 * text in a cookie, which is sent back only with requests that begin on this site.
 */
export type FormSeal = { token: string; cookie: string | null };

type Sealing = Pick<Settings, 'authSecret' | 'baseUrl'>;

/**
 * The token of the forms that this request is shown: an HMAC of its session, or of the random text of its browser.
 * `cookie` is to be set where the browser has no such text yet.
 */
export function formSeal(request: Request, session: Credential | null, settings: Sealing): FormSeal {
  if (session) return { token: tokenOf(`session ${session.id}`, settings), cookie: null };
  const kept = request.cookies.get(cookieName(settings));
  if (kept && BROWSER.test(kept)) return { token: tokenOf(`browser ${kept}`, settings), cookie: null };
  const made = randomBytes(16).toString('hex');
  const secure = isHttps(settings) ? '; Secure' : '';
  const cookie = `${cookieName(settings)}=${made}; Path=/; HttpOnly${secure}; SameSite=Strict`;
  return { token: tokenOf(`browser ${made}`, settings), cookie };
}

const BROWSER = /^[0-9a-f]{32}$/;

function tokenOf(owner: string, { authSecret }: Sealing): string {
  return createHmac('sha256', authSecret).update(`form ${owner}`).digest('hex');
}

/** The prefix keeps subdomains from planting the cookie. */
function cookieName(settings: Sealing): string {
  return isHttps(settings) ? '__Host-service.form' : 'service.form';
}

function isHttps({ baseUrl }: Sealing): boolean {
  return baseUrl.startsWith('https:');
}
