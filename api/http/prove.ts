import { Failure } from '../../shared/kernel/failure.ts';
import { allows } from '../../shared/kernel/scope.ts';
import type { ApiContext } from '../context.ts';
import { addressBucket } from './address.ts';
import { authenticate, type Credential, notice } from './authenticate.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Endpoint } from './endpoint.ts';
import type { Quota } from './limits.ts';
import type { Request } from './state.ts';

const FAILED_CREDENTIALS: Quota = { name: 'failed_credentials', limit: 120, window_seconds: 60 };

/**
 * Proves who calls; null where nobody need be known.
 * Errors: `missing_credentials`, `invalid_credentials`, `cross_site_request`, `rate_limited` after too many failures.
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
    return notice(context, request);
  }
  context.limits.refuseExhausted(addressBucket(request.ip), FAILED_CREDENTIALS, context.now());
  try {
    const credential = await authenticate(context, request);
    if (credential.kind === 'session') refuseCrossSite(request, context.settings.baseUrl);
    return credential;
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_credentials') {
      context.limits.take(addressBucket(request.ip), FAILED_CREDENTIALS, context.now());
    }
    throw error;
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
  if (scope !== 'any' && !allows(credential.grants, scope)) {
    throw new Failure('insufficient_scope', {
      detail: `This needs the scope ${scope}`,
      members: { required_scope: scope },
      headers:
        credential.kind === 'api_key'
          ? { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }
          : {},
    });
  }
}
