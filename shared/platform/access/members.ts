import { unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';

/**
 * Sees that a person may be given something: a present member of the organization.
 * Errors: `unknown_reference` at `path`.
 */
export async function requireMember(
  reader: Reader,
  user_id: string | null | undefined,
  path: string,
): Promise<void> {
  if (!user_id || user_id === reader.actor.user_id) return;
  const found = await reader.connection.query(
    'SELECT 1 FROM members WHERE organization_id = $1 AND user_id = $2 AND left_at IS NULL',
    [reader.organization_id, user_id],
  );
  if (found.length === 0) throw unknownReference(path, user_id);
}
