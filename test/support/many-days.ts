import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { TestActor } from './actors.ts';

export type ManyDays = { members: number; from: string; to: string };

/** An ID that follows from a text, in SQL: the letters of a hash are letters of IDs. */
const idOf = (prefix: string, text: string) => `'${prefix}_01' || substr(md5(${text}), 1, 24)`;

/**
 * Members who worked from 09:00 to 18:00 in Tokyo on every date of a range: sessions, punches, revisions and records, written past the
 * operations. Answers the IDs of the members, in their order.
 */
export async function seedDays(
  database: Database,
  { organization_id }: TestActor,
  { members, from, to }: ManyDays,
): Promise<string[]> {
  const now = new Date();
  const ids = Array.from({ length: members }, () => newId('mem', now)).sort();
  const days = `unnest($2::text[]) AS member (id) CROSS JOIN generate_series($3::date, $4::date, '1 day') AS day (at)`;
  const values = [organization_id, ids, from, to];
  const key = `member.id || day.at::date`;
  const begin = `((day.at::date + time '09:00') AT TIME ZONE 'Asia/Tokyo')`;
  const end = `((day.at::date + time '18:00') AT TIME ZONE 'Asia/Tokyo')`;
  await database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO attendance_members
         (organization_id, id, name, status, searched_name, search_text, search_grams, created_at, updated_at)
       SELECT $1, id, '社員', 'active', '社員', '社員', '{}', now(), now() FROM unnest($2::text[]) AS member (id)`,
      [organization_id, ids],
    );
    await query(
      `INSERT INTO attendance_sessions
         (organization_id, id, member_id, work_date, clock_in_at, clock_out_at, occupied_until)
       SELECT $1, ${idOf('asess', key)}, member.id, day.at, ${begin}, ${end}, ${end} FROM ${days}`,
      values,
    );
    await query(
      `INSERT INTO attendance_punches (organization_id, id, member_id, session_id, type, occurred_at,
         original_occurred_at, work_date, source, created_at)
       SELECT $1, ${idOf('punch', `${key} || punch.type`)}, member.id, ${idOf('asess', key)}, punch.type, punch.at, punch.at,
              day.at, 'web', punch.at
         FROM ${days} CROSS JOIN LATERAL (VALUES ('clock_in', ${begin}), ('clock_out', ${end})) AS punch (type, at)`,
      values,
    );
    await query(
      `INSERT INTO attendance_day_revisions
         (organization_id, id, member_id, work_date, version, source, sessions_before, sessions, actor, created_at)
       SELECT $1, ${idOf('arev', key)}, member.id, day.at, 1, 'put', '[]', '[]', '{"type": "user", "id": "usr"}', now()
         FROM ${days}`,
      values,
    );
    await query(
      `INSERT INTO attendance_records (organization_id, id, member_id, work_date, day_type, work_system, is_employed,
         schedule, leave, presence_minutes, worked_minutes, scheduled_minutes, statutory_overtime_minutes,
         daily_overtime_minutes, schedule_minutes, required_minutes, week_minutes, has_break_shortage, is_absence,
         has_presence, version, calc_version, created_at, updated_at)
       SELECT $1, ${idOf('arec', key)}, member.id, day.at, 'workday', 'fixed', true, null, '[]', 540, 540, 480, 60, 60,
              480, 480, 480, true, false, true, 2, 2, now(), now() FROM ${days}`,
      values,
    );
  });
  return ids;
}
