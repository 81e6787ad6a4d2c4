import { oneOf } from '../../../db/one-of.ts';
import type { Role } from '../../../kernel/scope.ts';
import type { Work } from '../../../kernel/work.ts';

/**
 * The roles that people have by now, null for who is not a member or has left. Their rows stay locked until the commit,
 * so nobody is removed or lowered meanwhile. Order of locks: members by their IDs (here and in `lockMember`), then
 * invitations, then keys.
 */
export async function presentRoles(
  work: Work,
  user_ids: readonly string[],
): Promise<(user_id: string) => Role | null> {
  const rows = await work.connection.query<{ user_id: string; role: Role; left_at: string | null }>(
    `SELECT user_id, role, left_at FROM members WHERE organization_id = $1 AND user_id = ${oneOf('$2')}
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, user_ids],
  );
  const roles = new Map(rows.map(({ user_id, role, left_at }) => [user_id, left_at === null ? role : null]));
  return (user_id) => roles.get(user_id) ?? null;
}
