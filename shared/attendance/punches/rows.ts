import type { Reader } from '../../kernel/reader.ts';
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
export function shownPunch({ session_id, id, ...fields }: PunchRow, duplicate = false): Punch {
  const { created_by, created_at, ...rest } = fields;
  return { id, object: 'attendance.punch', ...rest, duplicate, created_by, created_at };
}

/** The punches of members by work date, by member and in order of time. */
export function punchesOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Dates,
): Promise<PunchRow[]> {
  return connection.query<PunchRow>(
    `SELECT ${punchColumns.join(', ')} FROM attendance_punches
      WHERE organization_id = $1 AND member_id = ANY ($2) AND work_date BETWEEN $3 AND $4
      ORDER BY member_id, work_date, occurred_at, id`,
    [organization_id, member_ids, from, to],
  );
}

/** The last punch of a member, of one type where one is named. */
export async function lastPunch(
  { connection, organization_id }: Reader,
  member_id: string,
  type?: Punch['type'],
): Promise<PunchRow | null> {
  const ofType = type === undefined ? '' : 'AND type = $3';
  const [row] = await connection.query<PunchRow>(
    `SELECT ${punchColumns.join(', ')} FROM attendance_punches
      WHERE organization_id = $1 AND member_id = $2 ${ofType} ORDER BY occurred_at DESC, id DESC LIMIT 1`,
    type === undefined ? [organization_id, member_id] : [organization_id, member_id, type],
  );
  return row ?? null;
}
