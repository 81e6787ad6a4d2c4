import type { Work } from '../../kernel/work.ts';

/**
 * SQL for the IDs of the departments that a person is in: their own, and all that it is a part of. `organization_id` and
 * `user_id` are parameters, such as `$1`.
 */
export function departmentsOfPerson(organization_id: string, user_id: string): string {
  return `WITH RECURSIVE own AS (
      SELECT department_id AS id FROM attendance_members
       WHERE organization_id = ${organization_id} AND user_id = ${user_id} AND status <> 'left'
      UNION
      SELECT department.parent_id FROM own JOIN attendance_departments AS department
          ON department.organization_id = ${organization_id} AND department.id = own.id
    ) SELECT id FROM own WHERE id IS NOT NULL`;
}

/** Which of the IDs are those of departments; none of them is removed before the work commits. */
export async function holdDepartments(
  { connection, organization_id }: Work,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await connection.query<{ id: string }>(
    'SELECT id FROM attendance_departments WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE',
    [organization_id, ids],
  );
  return new Set(rows.map(({ id }) => id));
}
