import { oneOf, rowsOf } from '../../../db/one-of.ts';
import type { Reader } from '../../../kernel/reader.ts';
import { rulesOf } from '../../days/rules.ts';
import type { LeaveOfDay } from '../../days/types.ts';
import { organizationRules } from '../../organization-rules.ts';
import { Calendars } from '../../records/calendars.ts';
import { memberPlansOf } from '../../records/member-days.ts';
import type { LeaveType } from '../kinds.ts';
import { type Attendance, attendanceOf } from '../rules/attendance-rate.ts';

/** The days of a member whose attendance decides on a grant, both included; they are past. */
export type PeriodOfDuty = { member_id: string; from: string; to: string };

/** Members of whom so many are looked at together. */
const TOGETHER = 100;

/**
 * How some periods were attended, in their order. Workdays count from the first day that is recorded of a member: before it
 * presence is not known. A fixed number of statements for each hundred members.
 */
export async function attendanceDuring(
  reader: Reader,
  periods: readonly PeriodOfDuty[],
): Promise<Attendance[]> {
  const found = new Map<PeriodOfDuty, Attendance>();
  const member_ids = [...new Set(periods.map(({ member_id }) => member_id))];
  for (let first = 0; first < member_ids.length; first += TOGETHER) {
    const some = new Set(member_ids.slice(first, first + TOGETHER));
    await addAttendance(
      reader,
      periods.filter(({ member_id }) => some.has(member_id)),
      found,
    );
  }
  return periods.map((period) => found.get(period)!);
}

type RecordedDay = {
  member_id: string;
  work_date: string;
  day_type: string;
  is_employed: boolean;
  has_presence: boolean;
  leave: readonly Pick<LeaveOfDay, 'type'>[];
};

async function addAttendance(
  reader: Reader,
  periods: readonly PeriodOfDuty[],
  found: Map<PeriodOfDuty, Attendance>,
): Promise<void> {
  const ids = [...new Set(periods.map(({ member_id }) => member_id))];
  const firsts = await firstDays(reader, ids);
  for (const period of periods) found.set(period, { workdays: 0, attended_days: 0 });
  const recorded = periods.flatMap((period) => {
    const first = firsts.get(period.member_id);
    if (!first || first > period.to) return [];
    return [{ period, from: first > period.from ? first : period.from }];
  });
  if (recorded.length === 0) return;
  const from = recorded.map((one) => one.from).sort()[0]!;
  const to = recorded
    .map(({ period }) => period.to)
    .sort()
    .at(-1)!;
  const [rules, members, rows] = await Promise.all([
    organizationRules(reader, from, to).then(rulesOf),
    memberPlansOf(reader, ids, { from, to }),
    recordedDays(reader, ids, from, to),
  ]);
  const calendars = new Calendars(rules, { from, to });
  const kept = new Map(rows.map((row) => [`${row.member_id} ${row.work_date}`, row]));
  for (const { period, from: first } of recorded) {
    const { member_id } = period;
    const days = calendars.of(members.get(member_id)!).days.flatMap((day) => {
      const { work_date } = day;
      if (work_date < first || work_date > period.to) return [];
      const { day_type, is_employed, has_presence, leave } = kept.get(`${member_id} ${work_date}`) ?? day;
      if (day_type !== 'workday' || !is_employed) return [];
      return [{ present: has_presence, leave: leave.map(({ type }) => type as LeaveType) }];
    });
    found.set(period, attendanceOf(days));
  }
}

/** The first day that is recorded of each member. */
async function firstDays(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await connection.query<{ member_id: string; work_date: string }>(
    `SELECT asked.member_id, recorded.work_date FROM ${rowsOf('$2')} AS asked (member_id)
      CROSS JOIN LATERAL (
        SELECT work_date FROM attendance_records
         WHERE organization_id = $1 AND member_id = asked.member_id ORDER BY work_date LIMIT 1) AS recorded`,
    [organization_id, member_ids],
  );
  return new Map(rows.map(({ member_id, work_date }) => [member_id, work_date]));
}

function recordedDays(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  from: string,
  to: string,
): Promise<RecordedDay[]> {
  return connection.query<RecordedDay>(
    `SELECT member_id, work_date, day_type, is_employed, has_presence, leave FROM attendance_records
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND work_date BETWEEN $3 AND $4`,
    [organization_id, member_ids, from, to],
  );
}
