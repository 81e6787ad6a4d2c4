import { notFound } from '../../shared/kernel/failure.ts';
import { isStorable } from '../../shared/kernel/schema.ts';
import type { ApiContext } from '../context.ts';
import type { Request } from './request.ts';

const SLUG = ':orgSlug';

/**
 * Finds the organization whose slug stands in the path as `:orgSlug`, and names it in the request's state: the call acts in it,
 * for somebody without any right. Where it has another slug by now, the state says where the request is to be sent. Errors:
 * `not_found`.
 */
export async function findOrganizationOfPath(context: ApiContext, request: Request): Promise<null> {
  const { orgSlug = '' } = request.params as { orgSlug?: string };
  if (!isStorable(orgSlug)) throw notFound();
  const found = await context.lookups.organization(orgSlug);
  if (!found) throw notFound();
  const { id, slug } = found;
  request.state.organization_id = id;
  if (slug !== orgSlug) request.state.moved_to = withSlug(request, slug);
  return null;
}

/** The same path and query with another slug. */
function withSlug({ path, querystring, state }: Request, slug: string): string {
  const place = (state.page_path ?? state.endpoint!.path).split('/').indexOf(SLUG);
  const moved = path.split('/').with(place, slug).join('/');
  return querystring === '' ? moved : `${moved}?${querystring}`;
}

/**
 * Sends a request on whose organization has another slug by now, and answers whether it did: with its method and body. No cache
 * may keep it, since another organization can take the slug.
 */
export function sendOn({ state, response }: Request): boolean {
  if (state.moved_to === undefined) return false;
  response.set('Cache-Control', 'no-store');
  response.status = 308;
  response.redirect(state.moved_to);
  return true;
}
