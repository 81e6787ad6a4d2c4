import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type PunchRow, punchesOf, shownPunch } from '../punches/rows.ts';
import { memberOfPath } from '../sight/people.ts';
import { daysOf } from './days.ts';
import type { AttendanceRecord, AttendanceRecordInFull, RevisionShown } from './record.ts';
import { showingOf, shownDay, shownDays } from './shown.ts';

/** One day of a member as the API shows it. */
export async function shownRecord(
  reader: Reader,
  member_id: string,
  work_date: string,
): Promise<AttendanceRecord> {
  const days = await shownDays(reader, [member_id], { from: work_date, to: work_date });
  return days.get(member_id)![0]!;
}

/** A day of a member whom the caller sees, with all that it follows from. Errors: `not_found`. */
export async function recordByDay(
  reader: Reader,
  member_id: string,
  work_date: string,
): Promise<AttendanceRecordInFull> {
  await memberOfPath(reader, member_id);
  return recordInFull(reader, member_id, work_date);
}

/** A day of a member with its punches, revisions and segments. */
export async function recordInFull(
  reader: Reader,
  member_id: string,
  work_date: string,
): Promise<AttendanceRecordInFull> {
  const dates = { from: work_date, to: work_date };
  const [before, [last], showing, punches, revisions] = await Promise.all([
    daysOf(reader, [member_id], { from: daysLater(work_date, -27), to: daysLater(work_date, -1) }),
    daysOf(reader, [member_id], dates, { with_segments: true }).then((days) => days.get(member_id)!),
    showingOf(reader, [member_id]),
    punchesOf(reader, [member_id], dates),
    revisionsOf(reader, member_id, work_date),
  ]);
  return {
    ...shownDay([...before.get(member_id)!, last!], showing),
    punches: punches.map((row: PunchRow) => shownPunch(row)),
    revisions,
    segments: [...last!.segments],
  };
}

/** The revisions of a day, the newest last. */
function revisionsOf(
  { connection, organization_id }: Reader,
  member_id: string,
  work_date: string,
): Promise<RevisionShown[]> {
  return connection.query<RevisionShown>(
    `SELECT version, source, reason, correction_id, sessions, sessions_before, actor, created_at
       FROM attendance_day_revisions
      WHERE organization_id = $1 AND member_id = $2 AND work_date = $3 ORDER BY version`,
    [organization_id, member_id, work_date],
  );
}
