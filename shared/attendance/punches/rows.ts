import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { punchTypes } from '../days/punch-states.ts';
import type { Dates } from '../days/reach.ts';
import type { Punch } from './record.ts';

export const punchColumns = [
  'id',
  'member_id',
  'session_id',
  'type',
  'occurred_at',
  'original_occurred_at',
  'work_date',
  'source',
  'note',
  'location',
  'ip',
  'created_by',
  'created_at',
] as const;

/** A punch as it is kept. */
export type PunchRow = Omit<Punch, 'object' | 'duplicate'> & { session_id: string };

/** A punch as the API shows it. */
export function shownPunch(row: PunchRow, duplicate = false): Punch {
  return {
    id: row.id,
    object: 'attendance.punch',
    member_id: row.member_id,
    type: row.type,
    occurred_at: row.occurred_at,
    original_occurred_at: row.original_occurred_at,
    work_date: row.work_date,
    source: row.source,
    note: row.note,
    location: row.location,
    ip: row.ip,
    duplicate,
    created_by: row.created_by,
    created_at: row.created_at,
  };
}

/** The punches of members by work date, by member and in order of time. */
export function punchesOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Dates,
): Promise<PunchRow[]> {
  return connection.query<PunchRow>(
    `SELECT ${punchColumns.join(', ')} FROM attendance_punches
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND work_date BETWEEN $3 AND $4
      ORDER BY member_id, work_date, occurred_at, id`,
    [organization_id, member_ids, from, to],
  );
}

/** The last punch of each member who has one, whatever its type. */
export async function lastPunches(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<Map<string, PunchRow>> {
  const rows = await connection.query<PunchRow>(
    `SELECT DISTINCT ON (punch.member_id) ${punchColumns.map((column) => `punch.${column}`).join(', ')}
       FROM unnest($2::text[]) AS member (id) CROSS JOIN unnest($3::text[]) AS asked (type)
      CROSS JOIN LATERAL (
        SELECT * FROM attendance_punches
         WHERE organization_id = $1 AND member_id = member.id AND type = asked.type
         ORDER BY occurred_at DESC, id DESC LIMIT 1) AS punch
      ORDER BY punch.member_id, punch.occurred_at DESC, punch.id DESC`,
    [organization_id, member_ids, punchTypes],
  );
  return new Map(rows.map((row) => [row.member_id, row]));
}

/** A punch, and whether its session is still there: a revision may have removed it. */
export type LastPunch = PunchRow & { has_session: boolean };

/** The last punch of a member of one type. */
export async function lastOfType(
  { connection, organization_id }: Reader,
  member_id: string,
  type: Punch['type'],
): Promise<LastPunch | null> {
  const [row] = await connection.query<LastPunch>(
    `SELECT ${punchColumns.join(', ')}, EXISTS (
         SELECT FROM attendance_sessions AS session
          WHERE session.organization_id = $1 AND session.id = punch.session_id) AS has_session
       FROM attendance_punches AS punch
      WHERE organization_id = $1 AND member_id = $2 AND type = $3
      ORDER BY occurred_at DESC, id DESC LIMIT 1`,
    [organization_id, member_id, type],
  );
  return row ?? null;
}

/** The last punch of members of each type, by member. */
export async function lastOfTypes(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<Map<string, LastPunch[]>> {
  const rows = await connection.query<LastPunch>(
    `SELECT ${punchColumns.map((column) => `punch.${column}`).join(', ')}, EXISTS (
         SELECT FROM attendance_sessions AS session
          WHERE session.organization_id = $1 AND session.id = punch.session_id) AS has_session
       FROM unnest($2::text[]) AS member (id) CROSS JOIN unnest($3::text[]) AS asked (type)
       CROSS JOIN LATERAL (
         SELECT * FROM attendance_punches
          WHERE organization_id = $1 AND member_id = member.id AND type = asked.type
          ORDER BY occurred_at DESC, id DESC LIMIT 1) AS punch`,
    [organization_id, member_ids, punchTypes],
  );
  return Map.groupBy(rows, ({ member_id }) => member_id);
}
