import { oneOf } from '../../db/one-of.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';

/**
 * The present members among some users, who stay present until the work commits. Order of locks: members, event types,
 * availability; who leaves locks in the same order.
 */
export async function presentMembers(
  { connection, organization_id }: Reader,
  user_ids: readonly string[],
): Promise<Set<string>> {
  const rows = await connection.query<{ user_id: string }>(
    `SELECT user_id FROM members WHERE organization_id = $1 AND user_id = ${oneOf('$2')} AND left_at IS NULL
      ORDER BY id FOR SHARE`,
    [organization_id, user_ids],
  );
  return new Set(rows.map(({ user_id }) => user_id));
}

/**
 * Locks a member, present or gone, until the work commits: of several changes of what belongs to one member, each sees what
 * those before have left. Answers whether the member is present.
 */
export async function lockMember({ connection, organization_id }: Reader, user_id: string): Promise<boolean> {
  const [row] = await connection.query<{ left_at: string | null }>(
    'SELECT left_at FROM members WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE',
    [organization_id, user_id],
  );
  return row !== undefined && row.left_at === null;
}

/** Locks a present member. Errors: `unknown_reference` at /user_id. */
export async function lockPresentMember(reader: Reader, user_id: string): Promise<void> {
  if (!(await lockMember(reader, user_id))) throw unknownReference('/user_id', user_id);
}
