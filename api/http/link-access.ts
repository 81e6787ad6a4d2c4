import { type LinkPurpose, pageOf } from '../../shared/platform/links/purpose.ts';
import type { ApiContext } from '../context.ts';
import { openLink } from './open-link.ts';
import { isRead } from './rate.ts';
import type { Request } from './request.ts';

/** The failures of opening a link of that purpose; `rate_limited` follows for every call. */
export function linkFailures({ refusals }: LinkPurpose) {
  return [...new Set(Object.values(refusals))];
}

/**
 * Opens the link whose token stands in the path as `:token`, and names it in the request's state. Credentials are ignored:
 * a guest has no right of a session, and no cookie is set. Errors: those of `openLink`.
 */
export async function openLinkOfPath(
  context: ApiContext,
  purpose: LinkPurpose,
  request: Request,
): Promise<null> {
  const { token = '' } = request.params as { token?: string };
  const { ip: ip_address, method } = request;
  request.state.link = await openLink(context, { purpose, token, ip_address, is_read: isRead(method) });
  return null;
}

/**
 * Whether calls of that declaration send browsers to a page: those that read and answer JSON alone, where they have a link,
 * unless they name no page, or name one.
 */
export function sendsBrowsersToPage({ scope, kind, method, page }: Answering): boolean {
  const reads = kind === 'read' || (kind === 'stepwise' && method === 'get');
  return reads && (page === undefined ? scope === 'link' : page !== null);
}

type Answering = { scope: string; kind: string; method: string; page?: string | null };

/** The page that a browser is sent to in place of a JSON answer: the path, where HTML is preferred; null otherwise. */
export function pageFor({ page, link }: PageOfCall, request: Request): string | null {
  if (request.accepts('json', 'html') !== 'html') return null;
  const params = request.params as Record<string, string>;
  if (page) return page.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return pageOf(link!, params['token'] ?? '');
}

type PageOfCall = { page?: string | null; link?: LinkPurpose };
