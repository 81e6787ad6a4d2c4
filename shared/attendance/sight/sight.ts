import type { Reader } from '../../kernel/reader.ts';

/**
 * Whose days somebody reads: owners and admins those of all, managers those of the departments that they manage with all
 * below, and their own; others their own. A key sees what its creator sees.
 */
export type Sight =
  | { of: 'all' }
  | { of: 'team'; member_id: string | null; department_ids: readonly string[] }
  | { of: 'own'; member_id: string | null };

const TEAM = `
  SELECT member.id AS member_id, ARRAY(
    WITH RECURSIVE managed AS (
      SELECT id FROM attendance_departments
       WHERE organization_id = $1 AND manager_member_id = member.id
      UNION
      SELECT below.id FROM attendance_departments AS below
        JOIN managed ON below.organization_id = $1 AND below.parent_id = managed.id
    ) SELECT id FROM managed) AS department_ids
    FROM attendance_members AS member WHERE organization_id = $1 AND user_id = $2`;

/** What who asks sees. */
export async function sightOf(reader: Reader): Promise<Sight> {
  const { role, user_id } = reader.actor;
  if (role === 'owner' || role === 'admin' || reader.actor.type === 'system') return { of: 'all' };
  if (role !== 'manager') return { of: 'own', member_id: await ownMemberId(reader) };
  const [team] = await reader.connection.query<{ member_id: string; department_ids: string[] }>(TEAM, [
    reader.organization_id,
    user_id,
  ]);
  return { of: 'team', member_id: team?.member_id ?? null, department_ids: team?.department_ids ?? [] };
}

/** The member that who asks is; null for the service itself, and for who belongs to no organization. */
export async function ownMemberId({ connection, organization_id, actor }: Reader): Promise<string | null> {
  if (actor.user_id === null) return null;
  const [own] = await connection.query<{ id: string }>(
    'SELECT id FROM attendance_members WHERE organization_id = $1 AND user_id = $2',
    [organization_id, actor.user_id],
  );
  return own?.id ?? null;
}

/** Whether the days of a member are seen. */
export function isSeen(sight: Sight, member: { id: string; department_id: string | null }): boolean {
  if (sight.of === 'all' || sight.member_id === member.id) return true;
  return (
    sight.of === 'team' &&
    member.department_id !== null &&
    sight.department_ids.includes(member.department_id)
  );
}

/** SQL with `?` over the table of members, for its rows that are seen; null for all. */
export function seenCondition(sight: Sight): { text: string; values: unknown[] } | null {
  if (sight.of === 'all') return null;
  const own = { text: 'attendance_members.id = ?', values: [sight.member_id ?? ''] };
  if (sight.of === 'own') return own;
  return {
    text: `(${own.text} OR attendance_members.department_id = ANY (?))`,
    values: [...own.values, sight.department_ids],
  };
}

/** Whose records are asked for: of one member, of a department with all below. */
export type Whose = { member_id?: string; department_id?: string };

/**
 * The IDs of the members that are both seen and asked for, also of those who have left; null for all of the organization.
 * Lists of their records take them as one array, so that nothing is left out after a page is read.
 */
export async function membersSeen(reader: Reader, whose: Whose = {}): Promise<string[] | null> {
  const sight = await sightOf(reader);
  const { member_id, department_id } = whose;
  if (sight.of === 'all' && member_id === undefined && department_id === undefined) return null;
  if (sight.of === 'own' && sight.member_id === null) return [];
  const query = reader.connection.from('attendance_members').where({
    'attendance_members.organization_id': reader.organization_id,
  });
  const seen = seenCondition(sight);
  if (seen) query.whereRaw(seen.text, seen.values as never);
  if (member_id !== undefined) query.where('attendance_members.id', member_id);
  if (department_id !== undefined) {
    query.whereRaw('attendance_members.department_id = ANY (?)', [
      await departmentsBelow(reader, department_id),
    ]);
  }
  const { sql, bindings } = query.select('id').toSQL().toNative();
  const rows = await reader.connection.query<{ id: string }>(sql, bindings as unknown[]);
  return rows.map(({ id }) => id);
}

/** A department with all below it; none where there is no such department. */
export async function departmentsBelow(
  { connection, organization_id }: Reader,
  department_id: string,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `WITH RECURSIVE below AS (
       SELECT id FROM attendance_departments WHERE organization_id = $1 AND id = $2
       UNION
       SELECT child.id FROM attendance_departments AS child
         JOIN below ON child.organization_id = $1 AND child.parent_id = below.id
     ) SELECT id FROM below`,
    [organization_id, department_id],
  );
  return rows.map(({ id }) => id);
}
