import { Failure } from '../../shared/kernel/failure.ts';
import type { Request } from './request.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change asked for by the page of another site in the name of somebody's cookie. A request without Origin
 * and Sec-Fetch-Site comes from no browser. Errors: `cross_site_request`.
 */
export function refuseCrossSite(request: Request, base_url: string): void {
  if (SAFE.has(request.method)) return;
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  // A page that sends no referrer sends the origin "null" with its forms: then the browser's own word decides.
  if (origin !== undefined && origin !== 'null') {
    if (origin !== new URL(base_url).origin) throw new Failure('cross_site_request');
    return;
  }
  const isOwn = site === 'same-origin' || (site === 'none' && origin === undefined);
  if (!isOwn && (site !== undefined || origin !== undefined)) throw new Failure('cross_site_request');
}
