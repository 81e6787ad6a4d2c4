import type { Reader } from '../../kernel/reader.ts';
import { monthNumber, monthText, shown } from '../days/periods.ts';
import { fiveDayAtRisk } from '../leave/balances/at-risk.ts';
import { employedWithin } from '../members/employed.ts';
import { closingsOf } from '../months/closings.ts';
import { limitsOfMembers } from '../months/limits.ts';
import { laidFor, type MonthLaid, presentMonth } from '../months/month.ts';
import { employedIds } from '../months/pages.ts';
import { limitLevels, submissionStatuses } from '../months/record.ts';
import { openSessions } from '../punches/running.ts';
import { Calendars } from '../records/calendars.ts';
import { memberPlansOf } from '../records/member-days.ts';
import { plainSettings } from '../settings/queries.ts';
import { roleRequired } from '../sight/people.ts';
import { membersSeen } from '../sight/sight.ts';
import type { AttendanceDashboard } from './record.ts';
import { pendingCounts } from './requests.ts';

/**
 * How the members whom the caller sees stand now, in numbers. A fixed number of statements, however many members, save those
 * of `fiveDayAtRisk`. Errors: `role_required` for role member.
 */
export async function dashboardOf(
  reader: Reader,
  department_id: string | undefined,
): Promise<AttendanceDashboard> {
  if (reader.actor.role === 'member') throw roleRequired(NOT_MEMBERS);
  const laid = await laidFor(reader, await presentMonth(reader));
  const seen = await membersSeen(reader, department_id === undefined ? {} : { department_id });
  const { today, month, period } = laid;
  const ids = await activeIds(reader, seen, today);
  const dates = { from: period.start, to: period.end };
  const [members, settings] = await Promise.all([memberPlansOf(reader, ids, dates), plainSettings(reader)]);
  const calendars = new Calendars(laid.rules, dates);
  const [{ running, stale }, present, pending, limits, at_risk, submissions] = await Promise.all([
    openSessions(reader, seen, settings.max_session_hours),
    presentToday(reader, today),
    pendingCounts(reader, ids),
    limitsOfMembers(reader, members, laid, calendars, today),
    fiveDayAtRisk(reader, ids, today),
    lastSubmissions(reader, seen, laid),
  ]);
  const away = ids.filter((id) => {
    if (running.has(id) || present.has(id)) return false;
    return calendars.withoutLeave(members.get(id)!).by_date.get(today)!.day_type === 'workday';
  });
  const on_leave = away.filter((id) => members.get(id)!.leave.some(({ date }) => date === today)).length;
  const states = ids.flatMap((id) => running.get(id)?.state ?? []);
  const levels = [...limits.values()].flatMap((own) => own?.level ?? []);
  return {
    as_of: reader.now.toISOString(),
    today,
    month,
    members: ids.length,
    working: states.filter((state) => state === 'working').length,
    on_break: states.filter((state) => state === 'on_break').length,
    not_in: away.length - on_leave,
    on_leave,
    missing_punches: new Set(stale.map(({ member_id, work_date }) => `${member_id} ${work_date}`)).size,
    pending,
    limits: countsOf(limitLevels, levels),
    five_day_at_risk: at_risk.length,
    submissions,
  };
}

const NOT_MEMBERS = {
  en: 'The dashboard is for managers, admins and owners',
  ja: 'ダッシュボードを閲覧できるのは manager、admin、owner です',
};

function countsOf<Name extends string>(names: readonly Name[], found: readonly Name[]): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const name of found) counts[name] += 1;
  return counts;
}

/** The active members who are employed today; of some, or of all. */
async function activeIds(
  { connection, organization_id }: Reader,
  member_ids: readonly string[] | null,
  today: string,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM attendance_members
      WHERE organization_id = $1 AND status = 'active' AND ($2::text[] IS NULL OR id = ANY ($2))
        AND ${employedWithin('attendance_members', '$3', '$3')}
      ORDER BY id`,
    [organization_id, member_ids, today],
  );
  return rows.map(({ id }) => id);
}

/** Who was there today. */
async function presentToday(
  { connection, organization_id }: Reader,
  today: string,
): Promise<ReadonlySet<string>> {
  const rows = await connection.query<{ member_id: string }>(
    `SELECT member_id FROM attendance_records
      WHERE organization_id = $1 AND work_date = $2 AND has_presence`,
    [organization_id, today],
  );
  return new Set(rows.map(({ member_id }) => member_id));
}

/** How far the closing of the last period that is over has come, of those who were employed in it. */
async function lastSubmissions(
  reader: Reader,
  seen: readonly string[] | null,
  { month, rules }: MonthLaid,
): Promise<AttendanceDashboard['submissions']> {
  const last = monthNumber(month) - 1;
  const ids = await employedIds(reader, seen, shown(rules.periods.ofMonth(last)));
  const closings = await closingsOf(reader, ids, monthText(last));
  const statuses = ids.map((id) => closings.get(id)?.status ?? 'none');
  return { month: monthText(last), ...countsOf(submissionStatuses, statuses) };
}
