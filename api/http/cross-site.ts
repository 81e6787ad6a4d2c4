import { Failure } from '../../shared/kernel/failure.ts';
import type { Text } from '../../shared/kernel/language.ts';
import { isSameSecret } from '../../shared/platform/access/same-secret.ts';
import type { Request } from './request.ts';

/**
 * Where a request comes from, by its headers: a page of this service; such a page whose origin is "null", as of one that
 * sends no referrer; a page of the origin of BASE_URL that reached this service by another name; the address bar; no
 * browser; a browser whose origin is "null" and that sends no Sec-Fetch-Site (over plain HTTP); another site.
 */
type Source =
  | 'own_page'
  | 'own_page_unnamed'
  | 'own_origin'
  | 'address_bar'
  | 'no_browser'
  | 'unknown'
  | 'foreign';

/**
 * Refuses a change that the page of another site makes with somebody's cookie. A request without Origin and
 * Sec-Fetch-Site comes from no browser. Errors: `cross_site_request`.
 */
export function refuseCrossSite(request: Request, base_url: string): void {
  if (isSafe(request)) return;
  const source = sourceOf(request, (origin) => isOriginOf(base_url, origin));
  if (source === 'foreign' || source === 'unknown') throw new Failure('cross_site_request');
}

/**
 * The cookies of a request that ask for no credential, as of guests: null where the page of another site sends them along
 * with a change, or the browser does not say whether it does.
 */
export function ownCookies(request: Request, base_url: string): string | null {
  const source = isSafe(request) ? 'own_page' : sourceOf(request, (origin) => isOriginOf(base_url, origin));
  return source === 'foreign' || source === 'unknown' ? null : (request.headers.cookie ?? null);
}

/** The token that a form sent, and the one that a form of ours has; null where the link in the path is the proof. */
export type FormTokens = { sent: string; expected: string | null };

/**
 * Refuses a form that another site sent in somebody's name. Where the browser does not say where it comes from, the form's
 * token decides: the page that sent it could read the token only if it is one of ours. Errors: `cross_site_request`.
 */
export function refuseForeignForm(request: Request, { sent, expected }: FormTokens, base_url: string): void {
  const source = sourceOf(request, (origin) => isOriginOf(base_url, origin));
  if (source !== 'unknown') refuseCrossSite(request, base_url);
  else if (expected !== null && !isSameSecret(sent, expected)) throw new Failure('cross_site_request');
}

/**
 * Refuses a change that comes from anywhere but a page of this service: for credentials that a browser sends with the
 * requests of every page (HTTP Basic). The service may be reached by another name than BASE_URL: then the origin is known
 * by the Host header, or, behind a proxy that puts its own name there, by BASE_URL.
 * Errors: `cross_site_request`, with `detail`.
 */
export function requireOwnPage(request: Request, base_url: string, detail: Text): void {
  if (isSafe(request)) return;
  const isOwn = (origin: string) =>
    isOriginOf(base_url, origin) || (URL.canParse(origin) && new URL(origin).host === request.host);
  if (sourceOf(request, isOwn) !== 'own_page') throw new Failure('cross_site_request', { detail });
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

function isSafe({ method }: Request): boolean {
  return SAFE.has(method);
}

function isOriginOf(base_url: string, origin: string): boolean {
  return origin === new URL(base_url).origin;
}

function sourceOf({ headers }: Request, isOwn: (origin: string) => boolean): Source {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  // A page that sends no referrer sends the origin "null" with its forms: then Sec-Fetch-Site decides.
  if (origin !== undefined && origin !== 'null') {
    if (!isOwn(origin)) return 'foreign';
    return site === undefined || site === 'same-origin' ? 'own_page' : 'own_origin';
  }
  if (site === undefined) return origin === undefined ? 'no_browser' : 'unknown';
  if (site === 'same-origin') return origin === undefined ? 'own_page' : 'own_page_unnamed';
  return site === 'none' && origin === undefined ? 'address_bar' : 'foreign';
}
