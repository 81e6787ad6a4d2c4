import { oneOf } from '../../db/one-of.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';

/** Sees that those who are to see a document are members, but for those who saw it before. Errors: `unknown_reference`. */
export async function requireViewers(
  { connection, organization_id }: Work,
  viewers: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  const added = viewers.filter((id) => !before.includes(id));
  if (added.length === 0) return;
  const rows = await connection.query<{ user_id: string }>(
    `SELECT user_id FROM members WHERE organization_id = $1 AND user_id = ${oneOf('$2')} AND left_at IS NULL`,
    [organization_id, added],
  );
  const known = new Set(rows.map(({ user_id }) => user_id));
  const unknown = added.find((id) => !known.has(id));
  if (unknown !== undefined) throw unknownReference(`/viewers/${viewers.indexOf(unknown)}`, unknown);
}
