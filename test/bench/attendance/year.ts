import { nationalByDate } from '../../../shared/attendance/holidays/national.ts';
import type { Database } from '../../../shared/db/database.ts';
import { daysLater } from '../../../shared/kernel/days.ts';
import { newActor, type TestActor } from '../../support/actors.ts';

export type Year = { members: number; from: string; to: string };

/** Who asks, an owner whose own days are among those of the members, and who is asked about. */
export type Workforce = { owner: TestActor; member_id: string; department_id: string };

const PUNCHES = ['09:00 clock_in', '12:00 break_start', '13:00 break_end', '18:00 clock_out'];

/** An ID that follows from a text, in SQL: the letters of a hash are letters of IDs. */
const idOf = (prefix: string, text: string) => `'${prefix}_01' || substr(md5(${text}), 1, 24)`;

const at = (time: string) => `((day.at + time '${time}') AT TIME ZONE 'Asia/Tokyo')`;

/**
 * An organization whose members worked on every workday of a range, four punches a day, an hour longer on every third; on
 * its last day half of them are still there. Each has annual leave of 11 days. Written past the operations.
 */
export async function seedYear(database: Database, year: Year): Promise<Workforce> {
  const owner = await newActor(database);
  const { organization_id } = owner;
  const department_id = `dept_${'0'.repeat(26)}`;
  const values = [organization_id, workdays(year), year.to];
  const days = `(SELECT id, row_number() OVER (ORDER BY id) AS place FROM attendance_members
    WHERE organization_id = $1) AS member CROSS JOIN unnest($2::date[]) AS day (at)`;
  const key = 'member.id || day.at';
  const runs = '(day.at = $3::date AND member.place % 2 = 0)';
  const over = '(extract(day FROM day.at)::integer + member.place) % 3 = 0';
  await database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO attendance_departments (organization_id, id, name, sort_order, created_at, updated_at)
       VALUES ($1, $2, '製造部', 0, now(), now())`,
      [organization_id, department_id],
    );
    await query(
      `INSERT INTO attendance_members (organization_id, id, name, employee_code, department_id, hired_on, status,
         searched_name, search_text, search_grams, created_at, updated_at)
       SELECT $1, 'mem_01' || substr(md5($1 || n), 1, 24), '社員' || n, 'E' || lpad(n::text, 5, '0'),
              CASE WHEN n % 20 = 0 THEN $3 END, '2024-04-01', 'active', '社員' || n, '社員' || n, '{}', now(), now()
         FROM generate_series(2, $2::integer) AS n`,
      [organization_id, year.members, department_id],
    );
    await query(
      `UPDATE attendance_members SET employee_code = 'E00001', hired_on = '2024-04-01'
        WHERE organization_id = $1 AND employee_code IS NULL`,
      [organization_id],
    );
    await query(
      `INSERT INTO attendance_leave_grants (organization_id, id, member_id, type, granted_on, expires_on, days, reason,
         created_at, updated_at)
       SELECT $1, ${idOf('lgrant', 'id')}, id, 'paid_annual', '2026-10-01', '2028-09-30', 11, 'manual', now(), now()
         FROM attendance_members WHERE organization_id = $1`,
      [organization_id],
    );
    await query(
      `INSERT INTO attendance_sessions
         (organization_id, id, member_id, work_date, clock_in_at, clock_out_at, occupied_until, breaks)
       SELECT $1, ${idOf('asess', key)}, member.id, day.at, ${at('09:00')},
              CASE WHEN NOT ${runs} THEN ${at('18:00')} END,
              CASE WHEN ${runs} THEN ${at('09:00')} ELSE ${at('18:00')} END, '[]'
         FROM ${days}`,
      values,
    );
    await query(
      `INSERT INTO attendance_punches (organization_id, id, member_id, session_id, type, occurred_at,
         original_occurred_at, work_date, source, created_at)
       SELECT $1, ${idOf('punch', `${key} || punch.type`)}, member.id, ${idOf('asess', key)}, punch.type, punch.at, punch.at,
              day.at, 'web', punch.at
         FROM ${days} CROSS JOIN LATERAL (VALUES
           ${PUNCHES.map((punch) => `('${punch.slice(6)}', ${at(punch.slice(0, 5))})`).join(', ')}) AS punch (type, at)
        WHERE punch.type = 'clock_in' OR NOT ${runs}`,
      values,
    );
    await query(
      `INSERT INTO attendance_records (organization_id, id, member_id, work_date, day_type, work_system, is_employed,
         schedule, leave, presence_minutes, worked_minutes, break_minutes, scheduled_minutes, statutory_overtime_minutes,
         daily_overtime_minutes, schedule_minutes, required_minutes, week_minutes, has_break_shortage, is_absence,
         has_presence, version, calc_version, created_at, updated_at)
       SELECT $1, ${idOf('arec', key)}, member.id, day.at, 'workday', 'fixed', true, null, '[]', 540,
              CASE WHEN ${over} THEN 540 ELSE 480 END, CASE WHEN ${over} THEN 0 ELSE 60 END, 480,
              CASE WHEN ${over} THEN 60 ELSE 0 END, CASE WHEN ${over} THEN 60 ELSE 0 END, 480, 480, 480, false, false,
              true, 4, 4, day.at, day.at
         FROM ${days} WHERE $3::date IS NOT NULL`,
      values,
    );
  });
  const member_id = await database.withConnection(organization_id, async ({ query }) => {
    const [row] = await query<{ id: string }>(
      `SELECT id FROM attendance_members WHERE organization_id = $1 AND employee_code = 'E00002'`,
      [organization_id],
    );
    return row!.id;
  });
  return { owner, member_id, department_id };
}

/** Mondays to Fridays without national holidays. */
function workdays({ from, to }: Year): string[] {
  const dates: string[] = [];
  for (let date = from; date <= to; date = daysLater(date, 1)) {
    const weekday = new Date(date).getUTCDay();
    if (weekday !== 0 && weekday !== 6 && !nationalByDate.has(date)) dates.push(date);
  }
  return dates;
}
