import { Failure, notFound } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import { isStorable } from '../../shared/kernel/schema.ts';
import type { ApiContext } from '../context.ts';
import { countFailure, type Guesser } from './guessing.ts';
import type { Quota } from './limits.ts';
import type { Request } from './request.ts';

const SLUG = ':orgSlug';

/** Requests of an address with slugs that no organization has: more of them look for the names of customers. */
const FAILED_SLUGS: Quota = { name: 'failed_slugs', limit: 60, window_seconds: 60 };

/**
 * Finds the organization whose slug stands in the path as `:orgSlug`, and names it in the request's state: the call acts in it,
 * for somebody without any right. Where it has another slug by now, the state says where the request is to be sent. Errors:
 * `not_found`; in its place `rate_limited` beyond 60 a minute of one address, while slugs that there are go on being found.
 */
export async function findOrganizationOfPath(context: ApiContext, request: Request): Promise<null> {
  const { orgSlug = '' } = request.params as { orgSlug?: string };
  const found = isStorable(orgSlug) ? await context.lookups.organization(orgSlug) : null;
  if (!found) {
    throw countFailure(context.limits, guesserOf(context, request), notFound());
  }
  const { id, slug } = found;
  request.state.organization_id = id;
  if (slug !== orgSlug) request.state.moved_to = withSlug(request, slug);
  return null;
}

/**
 * What a call is refused with that knows the slug of an organization and another one, where no other limit holds for it (`is_unlimited`):
 * what it does not find counts like a slug that no organization has, since whoever tries names of forms asks for many that are not
 * there. What is there is neither counted nor refused. Answers any other failure as it is.
 */
export function countNotFound(
  context: ApiContext,
  { scope, is_unlimited }: Counted,
  request: Request,
  error: unknown,
): unknown {
  const isCounted = is_unlimited && scope === 'organization' && request.state.organization_id !== undefined;
  if (!isCounted || !(error instanceof Failure) || error.code !== 'not_found') return error;
  return countFailure(context.limits, guesserOf(context, request), error);
}

type Counted = { scope: string; is_unlimited?: true };

function guesserOf(context: ApiContext, request: Request): Guesser {
  return { bucket: addressBucket(request.ip), quota: FAILED_SLUGS, now: context.now() };
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
