import { Failure } from '../../shared/kernel/failure.ts';
import { allows } from '../../shared/kernel/scope.ts';
import type { ApiContext } from '../context.ts';
import { addressBucket } from './address.ts';
import { authenticate, type Credential, optionalSession } from './authenticate.ts';
import { refuseCrossSite } from './cross-site.ts';
import { type Endpoint, scopesOf } from './endpoint.ts';
import { countFailure } from './guessing.ts';
import type { Quota } from './limits.ts';
import type { Request } from './request.ts';

const FAILED_CREDENTIALS: Quota = { name: 'failed_credentials', limit: 120, window_seconds: 60 };

/**
 * Proves who calls; null where nobody need be known.
 * Errors: `missing_credentials`, `invalid_credentials`, `cross_site_request`; `rate_limited` in the place of
 * `invalid_credentials` after too many failures of an address. A right credential passes nevertheless: what is well
 * formed is looked up always, by an index and together with what else arrives in the same turn.
 */
export async function prove(
  context: ApiContext,
  endpoint: Endpoint,
  request: Request,
): Promise<Credential | null> {
  if (endpoint.scope === 'public') return null;
  request.set('Cache-Control', 'no-store');
  if (endpoint.scope === 'visitor') {
    refuseCrossSite(request, context.settings.baseUrl);
    return optionalSession(context, request);
  }
  try {
    const credential = await authenticate(context, request);
    if (credential.kind === 'session') refuseCrossSite(request, context.settings.baseUrl);
    return credential;
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'invalid_credentials')) throw error;
    const guesser = { address: addressBucket(request.ip), quota: FAILED_CREDENTIALS, now: context.now() };
    throw countFailure(context.limits, guesser, error);
  }
}

/** Errors: `session_required`, `no_active_organization`, `insufficient_scope`. */
export function permit(endpoint: Endpoint, credential: Credential | null): void {
  const { scope } = endpoint;
  if (!credential || scope === 'public' || scope === 'visitor') return;
  if ((endpoint.session || scope === 'account') && credential.kind !== 'session')
    throw new Failure('session_required');
  if (scope === 'account') return;
  if (credential.organization_id === null) throw new Failure('no_active_organization');
  for (const needed of scopesOf(endpoint)) {
    if (allows(credential.grants, needed)) continue;
    throw new Failure('insufficient_scope', {
      detail: `This needs the scope ${needed}`,
      members: { required_scope: needed },
    });
  }
}
