import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';

/** The member of a request, as far as showing it needs them. */
export type Owner = { id: string; user_id: string | null; department_id: string | null };

/** The members of some requests, by their IDs. */
export async function ownersOf(
  { connection, organization_id }: Reader,
  rows: readonly { member_id: string }[],
): Promise<(member_id: string) => Owner> {
  const found = await connection.query<Owner>(
    `SELECT id, user_id, department_id FROM attendance_members WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
    [organization_id, [...new Set(rows.map(({ member_id }) => member_id))]],
  );
  const owners = new Map(found.map((row) => [row.id, row]));
  return (member_id) => owners.get(member_id)!;
}
