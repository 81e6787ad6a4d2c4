import { oneOf } from '../../db/one-of.ts';
import type { Connection } from '../../kernel/connection.ts';
import type { Grant, Role } from '../../kernel/scope.ts';

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

/**
 * Finds keys by their hashes (in hexadecimal), all in one query. No cache: a revoked key is refused at once, on every
 * process.
 */
export async function keysByHash(
  connection: Connection,
  hashes: readonly string[],
): Promise<Map<string, KeyRow>> {
  const rows = await connection.query<KeyRow & { key_hash: Buffer }>(
    `SELECT hash.key_hash, key.id, key.organization_id, key.created_by, key.scopes, key.expires_at,
            key.last_used_at, member.role, organization.api_version
       FROM api_key_hashes AS hash
       JOIN api_keys AS key ON key.organization_id = hash.organization_id AND key.id = hash.api_key_id
       JOIN members AS member
         ON member.organization_id = key.organization_id AND member.user_id = key.created_by
       JOIN organizations AS organization ON organization.id = key.organization_id
      WHERE hash.key_hash = ${oneOf('$1', 'bytea')} AND key.revoked_at IS NULL AND member.left_at IS NULL`,
    [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  );
  return new Map(rows.map(({ key_hash, ...key }) => [key_hash.toString('hex'), key]));
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

/** Finds sessions by their tokens, joined with membership and organization, all in one query. */
export async function sessionsByToken(
  connection: Connection,
  tokens: readonly string[],
): Promise<Map<string, SessionRow>> {
  const rows = await connection.query<SessionRow & { token: string }>(
    `SELECT session.token, session.id, session.user_id, session.expires_at, member.organization_id, member.role,
            organization.api_version
       FROM sessions AS session
       LEFT JOIN members AS member
         ON member.organization_id = session.active_organization_id AND member.user_id = session.user_id
        AND member.left_at IS NULL
       LEFT JOIN organizations AS organization ON organization.id = member.organization_id
      WHERE session.token = ${oneOf('$1')}`,
    [tokens],
  );
  return new Map(rows.map(({ token, ...session }) => [token, session]));
}
