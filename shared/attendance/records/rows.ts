import { oneOf, rowsOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { summedMinutes } from '../days/totals.ts';
import type { DayRecord, Session } from '../days/types.ts';

/** Minutes of a record that are kept beside those that totals sum up. */
const otherMinutes = [
  'schedule_minutes',
  'required_minutes',
  'week_minutes',
  'automatic_break_minutes',
  'unapproved_overtime_minutes',
] as const;

/** What a record keeps of what the rules make of a day: all but sessions, which have rows of their own, and segments. */
export const figureNames = [
  'day_type',
  'work_system',
  'is_employed',
  'schedule',
  'leave',
  ...summedMinutes,
  ...otherMinutes,
  'has_break_shortage',
  'is_absence',
  'has_presence',
] as const satisfies readonly (keyof DayRecord)[];

export const recordColumns = [
  'id',
  'member_id',
  'work_date',
  ...figureNames,
  'version',
  'calc_version',
  'created_at',
  'updated_at',
] as const;

/** A day as it is kept. */
export type RecordRow = Pick<DayRecord, (typeof figureNames)[number] | 'work_date'> & {
  id: string;
  member_id: string;
  version: number;
  calc_version: number;
  created_at: string;
  updated_at: string;
};

/** A session as it is kept. */
export type SessionRow = Session & { id: string; member_id: string };

export const sessionColumns = [
  'id',
  'member_id',
  'work_date',
  'clock_in_at',
  'clock_out_at',
  'breaks',
] as const;

type Dates = { from: string; to: string };

/** The kept days of members, by member. */
export async function recordRows(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Dates,
): Promise<Map<string, RecordRow[]>> {
  const rows = await connection.query<RecordRow>(
    `SELECT ${recordColumns.join(', ')} FROM attendance_records
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND work_date BETWEEN $3 AND $4
      ORDER BY member_id, work_date`,
    [organization_id, member_ids, from, to],
  );
  return Map.groupBy(rows, ({ member_id }) => member_id);
}

/** The sessions of members by their work dates, by member and in order of time. */
export async function sessionRows(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Dates,
): Promise<Map<string, SessionRow[]>> {
  const rows = await connection.query<SessionRow>(
    `SELECT ${sessionColumns.join(', ')} FROM attendance_sessions
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND work_date BETWEEN $3 AND $4
      ORDER BY member_id, clock_in_at, clock_out_at NULLS LAST`,
    [organization_id, member_ids, from, to],
  );
  return Map.groupBy(rows, ({ member_id }) => member_id);
}

/** The newest session of each member who has one, whenever it was. */
export async function newestSessions(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<Map<string, SessionRow>> {
  const rows = await connection.query<SessionRow>(
    `SELECT ${sessionColumns.map((column) => `newest.${column}`).join(', ')}
       FROM ${rowsOf('$2')} AS asked (member_id)
       CROSS JOIN LATERAL (
         SELECT * FROM attendance_sessions
          WHERE organization_id = $1 AND member_id = asked.member_id
          ORDER BY clock_in_at DESC, clock_out_at DESC NULLS FIRST LIMIT 1) AS newest`,
    [organization_id, member_ids],
  );
  return new Map(rows.map((row) => [row.member_id, row]));
}

/**
 * Until when a session keeps others away: to its end, or while it runs to its last instant, with a millisecond more, so
 * that one which has just begun takes room too.
 */
export function occupiedUntil({ clock_in_at, clock_out_at, breaks }: Session): string {
  if (clock_out_at !== null) return clock_out_at;
  const last = breaks.at(-1);
  const instant = last?.end_at ?? last?.start_at ?? clock_in_at;
  return new Date(Date.parse(instant) + 1).toISOString();
}

/** A session as its table has it. */
export function columnsOfSession(row: SessionRow) {
  const { id, member_id, work_date, clock_in_at, clock_out_at, breaks } = row;
  return {
    id,
    member_id,
    work_date,
    clock_in_at,
    clock_out_at,
    occupied_until: occupiedUntil(row),
    breaks,
  };
}
