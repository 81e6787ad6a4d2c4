import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Settings } from '../../../shared/platform/settings/settings.ts';
import type { Credential } from '../../http/credential.ts';
import { refuseCrossSite } from '../../http/cross-site.ts';
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

/**
 * Refuses a form that another site sent in somebody's name. Where the browser tells nothing about the site (no https, and
 * a page that sends no referrer) the form's token decides: the page that sent it could read it only if it is one of ours.
 * Errors: `cross_site_request`.
 */
export function refuseForeignForm(request: Request, sent: string, expected: string, base_url: string): void {
  const { origin } = request.headers;
  const isUntold = origin === 'null' && request.headers['sec-fetch-site'] === undefined;
  if (!isUntold) refuseCrossSite(request, base_url);
  else if (!isSame(sent, expected)) throw new Failure('cross_site_request');
}

function tokenOf(owner: string, { authSecret }: Sealing): string {
  return createHmac('sha256', authSecret).update(`form ${owner}`).digest('hex');
}

function isSame(sent: string, expected: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The prefix keeps subdomains from planting the cookie. */
function cookieName(settings: Sealing): string {
  return isHttps(settings) ? '__Host-service.form' : 'service.form';
}

function isHttps({ baseUrl }: Sealing): boolean {
  return baseUrl.startsWith('https:');
}
