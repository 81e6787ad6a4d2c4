import { Failure } from '../../shared/kernel/failure.ts';
import { allows, type Scope } from '../../shared/kernel/scope.ts';
import type { Credential } from './credential.ts';

/** Lets everybody through. */
export function requireNothing(): void {}

/** Requires a signed-in person. Errors: `session_required`. */
export function requireSession(credential: Credential | null): void {
  if (credential?.kind !== 'session') throw new Failure('session_required');
}

/** Requires a credential that acts in an organization. Errors: `no_active_organization`. */
export function requireOrganization(credential: Credential | null): void {
  if (!credential?.organization_id) throw new Failure('no_active_organization');
}

/** Requires a credential that has every one of the scopes. Errors: `insufficient_scope`. */
export function requireScopes(credential: Pick<Credential, 'grants'> | null, needed: readonly Scope[]): void {
  for (const scope of needed) {
    if (allows(credential?.grants ?? [], scope)) continue;
    throw new Failure('insufficient_scope', {
      detail: { en: `This needs the scope ${scope}`, ja: `スコープ ${scope} が必要です` },
      members: { required_scope: scope },
    });
  }
}
