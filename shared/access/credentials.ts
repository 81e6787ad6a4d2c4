import type { Connection } from '../kernel/connection.ts';
import type { Grant, Role } from '../kernel/scope.ts';

/** A key as the check of credentials needs it; null when unknown, revoked, or its creator has left. */
export type KeyRow = {
  id: string;
  organization_id: string;
  created_by: string;
  scopes: Grant[];
  expires_at: string | null;
  last_used_at: string | null;
  role: Role;
  api_version: string;
};

/** Finds the key by its hash. No cache: a revoked key is refused at once, on every process. */
export async function keyByHash(connection: Connection, hash: Buffer): Promise<KeyRow | null> {
  const [row] = await connection.query<KeyRow>(
    `SELECT key.id, key.organization_id, key.created_by, key.scopes, key.expires_at, key.last_used_at,
            member.role, organization.api_version
       FROM api_key_hashes AS hash
       JOIN api_keys AS key ON key.organization_id = hash.organization_id AND key.id = hash.api_key_id
       JOIN members AS member
         ON member.organization_id = key.organization_id AND member.user_id = key.created_by
       JOIN organizations AS organization ON organization.id = key.organization_id
      WHERE hash.key_hash = $1 AND key.revoked_at IS NULL AND member.left_at IS NULL`,
    [hash],
  );
  return row ?? null;
}

/** Notes that the key was used, at most once a minute. */
export async function markKeyUsed(connection: Connection, key: KeyRow, now: Date): Promise<void> {
  await connection.query(
    `UPDATE api_keys SET last_used_at = $3
      WHERE organization_id = $1 AND id = $2
        AND (last_used_at IS NULL OR last_used_at < $3::timestamptz - interval '1 minute')`,
    [key.organization_id, key.id, now.toISOString()],
  );
}

/** A session with what its user may do in its active organization; both are null where there is none. */
export type SessionRow = {
  id: string;
  user_id: string;
  expires_at: string;
  organization_id: string | null;
  role: Role | null;
  api_version: string | null;
};

/** Finds the session by its token, joined with membership and organization in one query. */
export async function sessionByToken(connection: Connection, token: string): Promise<SessionRow | null> {
  const [row] = await connection.query<SessionRow>(
    `SELECT session.id, session.user_id, session.expires_at, member.organization_id, member.role,
            organization.api_version
       FROM sessions AS session
       LEFT JOIN members AS member
         ON member.organization_id = session.active_organization_id AND member.user_id = session.user_id
        AND member.left_at IS NULL
       LEFT JOIN organizations AS organization ON organization.id = member.organization_id
      WHERE session.token = $1`,
    [token],
  );
  return row ?? null;
}
