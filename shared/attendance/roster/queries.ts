import { pageOf } from '../../db/list.ts';
import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { membersSeen, type Whose } from '../sight/sight.ts';
import { type RosterDay, RosterDayModel } from './record.ts';

export const rosterColumns = [
  'id',
  'member_id',
  'date',
  'day_type',
  'schedule_id',
  'created_at',
  'updated_at',
] as const;

export type RosterRow = Omit<RosterDay, 'object'>;

/** A row as the API shows it. */
export function rosterDayOf({ id, ...fields }: RosterRow): RosterDay {
  return { id, object: 'attendance.roster_day', ...fields };
}

export type RosterFilters = Whose & { from?: string; to?: string };

/** A window of the roster, of the members whose days the caller sees. */
export async function rosterPage(
  reader: Reader,
  { from, to, ...whose }: RosterFilters,
  window: Window,
): Promise<Page<RosterDay>> {
  const query = RosterDayModel.table(reader);
  const member_ids = await membersSeen(reader, whose);
  if (member_ids !== null) query.whereRaw('attendance_roster_days.member_id = ANY (?)', [member_ids]);
  if (from !== undefined) query.where('attendance_roster_days.date', '>=', from);
  if (to !== undefined) query.where('attendance_roster_days.date', '<=', to);
  const page = await pageOf<RosterRow>(reader, {
    query,
    table: RosterDayModel.tableName,
    columns: rosterColumns,
    prefix: 'rost',
    sorts: { date: 'date' },
    window,
  });
  return { ...page, rows: page.rows.map(rosterDayOf) };
}

/** The roster of members between two dates, by member: what their days are computed with. */
export async function rosterBetween(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  from: string,
  to: string,
): Promise<Map<string, RosterDay[]>> {
  const rows = await connection.query<RosterRow>(
    `SELECT ${rosterColumns.join(', ')} FROM attendance_roster_days
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND date BETWEEN $3 AND $4 ORDER BY member_id, date`,
    [organization_id, member_ids, from, to],
  );
  return Map.groupBy(rows.map(rosterDayOf), ({ member_id }) => member_id);
}
