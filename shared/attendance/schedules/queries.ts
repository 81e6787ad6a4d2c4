import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type Schedule, ScheduleModel, scheduleKind } from './record.ts';

export const scheduleColumns = [
  'id',
  'name',
  'start',
  'end',
  'breaks',
  'minutes',
  'half_day',
  'core',
  'is_default',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type ScheduleRow = Omit<Schedule, 'object'>;

/** A row as the API shows it. */
export function scheduleOf({ id, ...fields }: ScheduleRow): Schedule {
  return { id, object: 'attendance.schedule', ...fields };
}

const QUOTED = scheduleColumns.map((column) => `"${column}"`).join(', ');

/** One schedule. Errors: `not_found`. */
export async function scheduleById(reader: Reader, id: string): Promise<Schedule> {
  const [row] = await reader.connection.query<ScheduleRow>(
    `SELECT ${QUOTED} FROM attendance_schedules WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  return scheduleOf(row);
}

/** All schedules of the organization: what the days of its people are computed with. */
export async function allSchedules(reader: Reader): Promise<Schedule[]> {
  const rows = await reader.connection.query<ScheduleRow>(
    `SELECT ${QUOTED} FROM attendance_schedules WHERE organization_id = $1 ORDER BY id`,
    [reader.organization_id],
  );
  return rows.map(scheduleOf);
}

/** The schedules of these IDs and the default one, locked in the order of their IDs until the work commits. */
export async function lockSchedules(reader: Reader, ids: readonly string[]): Promise<Schedule[]> {
  const rows = await reader.connection.query<ScheduleRow>(
    `SELECT ${QUOTED} FROM attendance_schedules
      WHERE organization_id = $1 AND (id = ANY ($2) OR is_default) ORDER BY id FOR UPDATE`,
    [reader.organization_id, ids],
  );
  return rows.map(scheduleOf);
}

/** A window of the schedules. */
export async function schedulePage(
  reader: Reader,
  filters: LookUps,
  window: Window,
): Promise<Page<Schedule>> {
  const page = await pageOf<ScheduleRow>(reader, {
    query: ScheduleModel.table(reader),
    table: ScheduleModel.tableName,
    columns: scheduleColumns,
    prefix: 'wsch',
    sorts: { name: 'name' },
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: scheduleKind, asked: filters },
  });
  return { ...page, rows: page.rows.map(scheduleOf) };
}
