import type { Actor, Reader } from '../../kernel/reader.ts';
import { type Grant, grantsWithinRole, type Role } from '../../kernel/scope.ts';

/** What somebody who asked for work may do by now. */
export type PresentRights = { role: Role; grants: readonly Grant[] };

/**
 * What a person or a key may do by now; null where the person has left, or the key was revoked or has expired. Work that
 * goes on after its request asks again, as each single call would have been asked.
 */
export async function presentRights(
  { connection, organization_id, now }: Reader,
  { type, id, user_id }: Pick<Actor, 'type' | 'id' | 'user_id'>,
  roleGrants: Readonly<Record<Role, readonly Grant[]>>,
): Promise<PresentRights | null> {
  if (type === 'user') {
    const [member] = await connection.query<{ role: Role }>(
      'SELECT role FROM members WHERE organization_id = $1 AND user_id = $2 AND left_at IS NULL',
      [organization_id, user_id],
    );
    return member ? { role: member.role, grants: roleGrants[member.role] } : null;
  }
  const [key] = await connection.query<{ role: Role; scopes: Grant[] }>(
    `SELECT member.role, key.scopes
       FROM api_keys AS key
       JOIN members AS member ON member.organization_id = key.organization_id AND member.user_id = key.created_by
      WHERE key.organization_id = $1 AND key.id = $2 AND key.revoked_at IS NULL AND member.left_at IS NULL
        AND (key.expires_at IS NULL OR key.expires_at > $3)`,
    [organization_id, id, now.toISOString()],
  );
  return key ? { role: key.role, grants: grantsWithinRole(key.scopes, roleGrants[key.role]) } : null;
}
