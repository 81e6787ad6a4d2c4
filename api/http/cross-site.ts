import { Failure } from '../../shared/kernel/failure.ts';
import type { Request } from './state.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change asked for by the page of another site in the name of somebody's cookie. A request without Origin
 * and Sec-Fetch-Site comes from no browser. Errors: `cross_site_request`.
 */
export function refuseCrossSite(request: Request, base_url: string): void {
  if (SAFE.has(request.method)) return;
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin !== undefined) {
    if (origin !== new URL(base_url).origin) throw new Failure('cross_site_request');
    return;
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Failure('cross_site_request');
}
