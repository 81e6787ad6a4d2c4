import { Failure } from '../../../shared/kernel/failure.ts';
import { refuseCrossSite } from '../../http/cross-site.ts';
import type { Request } from '../../http/state.ts';

const NAME = 'service.form';

/**
 * Set with every page and sent back only with requests that begin on this site: the word of browsers that, without
 * https, tell nothing else about a form from a page that sends no referrer.
 */
export function formCookie(base_url: string): string {
  const secure = base_url.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=1; Path=/; HttpOnly${secure}; SameSite=Strict`;
}

/** Refuses a form that another site sent in somebody's name. Errors: `cross_site_request`. */
export function refuseForeignForm(request: Request, base_url: string): void {
  const { origin } = request.headers;
  const isUntold = origin === 'null' && request.headers['sec-fetch-site'] === undefined;
  if (!isUntold) refuseCrossSite(request, base_url);
  else if (request.cookies.get(NAME) === undefined) throw new Failure('cross_site_request');
}
