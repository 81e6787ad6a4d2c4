import type { Grant, Role } from '../../shared/kernel/scope.ts';

/** An authenticated caller. `organization_id` is null for a session without an active organization. */
export type Credential = {
  kind: 'api_key' | 'session';
  /** The key's or the session's ID: limits and idempotency are kept by it. */
  id: string;
  user_id: string;
  organization_id: string | null;
  role: Role | null;
  grants: readonly Grant[];
  /** The organization's pinned version. */
  api_version: string | null;
};
