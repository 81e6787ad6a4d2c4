import type { Reader } from '../../kernel/reader.ts';

/** Where members belong. */
export type Belonging = 'department_id' | 'position_id';

/** How many members belong to each of these departments or positions, without those who have left. */
export async function countMembers(
  { connection, organization_id }: Reader,
  column: Belonging,
  ids: readonly string[],
): Promise<(id: string) => number> {
  const rows =
    ids.length === 0
      ? []
      : await connection.query<{ id: string; count: number }>(
          `SELECT ${column} AS id, count(*) AS count FROM attendance_members
            WHERE organization_id = $1 AND ${column} = ANY ($2) AND status <> 'left' GROUP BY 1`,
          [organization_id, ids],
        );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return (id) => counts.get(id) ?? 0;
}
