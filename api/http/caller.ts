import type { ApiContext } from '../context.ts';
import type { Credential } from './authenticate.ts';
import type { Caller, Request } from './request.ts';

/** Who asks, as operations and queries see it, acting for that organization ('' for none). */
export function callerOf(
  context: ApiContext,
  request: Request,
  credential: Credential | null,
  organization_id: string,
): Caller {
  const shared = { now: context.now(), request_id: request.state.request_id, ip_address: request.ip };
  if (!credential) {
    const actor = { type: 'guest' as const, id: 'guest', user_id: null, role: null, grants: [] };
    return { ...shared, organization_id, actor };
  }
  const { kind, id, user_id, role, grants } = credential;
  const actor = {
    type: kind === 'session' ? 'user' : kind,
    id: kind === 'session' ? user_id : id,
    user_id,
    role,
    grants,
  } as const;
  return { ...shared, organization_id, actor };
}
