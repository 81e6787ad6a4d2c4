import { z } from 'zod';
import { pageOf } from '../../db/list.ts';
import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { computed } from '../../kernel/schema.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { AttendanceRecord, RecordModel } from '../records/record.ts';
import { shownDays } from '../records/shown.ts';
import { todayOf } from '../settings/queries.ts';
import { membersSeen, type Whose } from '../sight/sight.ts';
import { Punch } from './record.ts';
import { punchesOf, shownPunch } from './rows.ts';

/** A day with what was punched on it. */
export const DayOfHistory = AttendanceRecord.extend({
  punches: computed(z.array(Punch)).describe('As they were punched.'),
}).meta({ id: 'AttendanceDayOfHistory' });

export type DayOfHistory = z.output<typeof DayOfHistory>;

export type HistoryFilters = Whose & { from?: string | undefined; to?: string | undefined };

/** So many days are listed where nothing is said. */
const DAYS = 31;

/** The dates of a history: those that were asked for, or 31 days to today or from a date on. */
export async function historyDates(
  reader: Reader,
  { from, to }: Pick<HistoryFilters, 'from' | 'to'>,
): Promise<{ from: string; to: string }> {
  if (from !== undefined) return { from, to: to ?? daysLater(from, DAYS - 1) };
  const last = to ?? (await todayOf(reader));
  return { from: daysLater(last, 1 - DAYS), to: last };
}

type Found = { id: string; member_id: string; work_date: string };

/** A window of the days on which members whose days the caller reads were there, punched or had leave. */
export async function historyPage(
  reader: Reader,
  { from, to, ...whose }: HistoryFilters & { from: string; to: string },
  window: Window,
): Promise<Page<DayOfHistory>> {
  const member_ids = await membersSeen(reader, whose);
  const query = RecordModel.table(reader);
  if (member_ids !== null) query.whereRaw('attendance_records.member_id = ANY (?)', [member_ids]);
  query.whereBetween('attendance_records.work_date', [from, to]).where((either) => {
    either
      .where('attendance_records.has_presence', true)
      .orWhereRaw("attendance_records.leave <> '[]'")
      .orWhereRaw(
        `EXISTS (SELECT FROM attendance_punches AS punch
           WHERE punch.organization_id = attendance_records.organization_id
             AND punch.member_id = attendance_records.member_id AND punch.work_date = attendance_records.work_date)`,
      );
  });
  const page = await pageOf<Found>(reader, {
    query,
    table: RecordModel.tableName,
    columns: ['id', 'member_id', 'work_date'],
    prefix: 'arec',
    sorts: { work_date: 'work_date' },
    window:
      window.sort.length > 0 ? window : { ...window, sort: [{ field: 'work_date', direction: 'desc' }] },
  });
  return { ...page, rows: await shownHistory(reader, page.rows) };
}

async function shownHistory(reader: Reader, found: readonly Found[]): Promise<DayOfHistory[]> {
  if (found.length === 0) return [];
  const member_ids = [...new Set(found.map(({ member_id }) => member_id))];
  const order = found.map(({ work_date }) => work_date).sort();
  const dates = { from: order[0]!, to: order.at(-1)! };
  const [days, punches] = await Promise.all([
    shownDays(reader, member_ids, dates),
    punchesOf(reader, member_ids, dates),
  ]);
  const dayOf = new Map([...days.values()].flat().map((day) => [keyOf(day), day]));
  const punchesOn = Map.groupBy(punches, keyOf);
  return found.map((row) => ({
    ...dayOf.get(keyOf(row))!,
    punches: (punchesOn.get(keyOf(row)) ?? []).map((punch) => shownPunch(punch)),
  }));
}

const keyOf = ({ member_id, work_date }: Pick<Found, 'member_id' | 'work_date'>) =>
  `${member_id} ${work_date}`;
