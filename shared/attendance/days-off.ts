import { oneOf } from '../db/one-of.ts';
import { clockAt, dayOf, instantOf } from '../kernel/local-time.ts';
import type { Reader } from '../kernel/reader.ts';
import { planOf, plansOf } from './days/day-plan.ts';
import { rulesOf, settingsOn } from './days/rules.ts';
import type { DatedTerms, RosterDay } from './days/types.ts';
import { type NamedHoliday, namedHolidays } from './holidays/days.ts';
import type { LeaveType } from './leave/kinds.ts';
import { MOST_DAYS } from './leave/requests/record.ts';
import { type LiveRequest, spanColumns } from './leave/requests/rows.ts';
import { awayDuring } from './leave/rules/intervals.ts';
import { type ScheduleRow, scheduleOf } from './schedules/queries.ts';
import type { DatedRow } from './settings/dated.ts';
import { defaultPlain } from './settings/fields.ts';
import { ruleSettings } from './settings/rules.ts';

/**
 * When somebody is away: from `start_at` until before `end_at`, instants in ISO 8601. `all_day`: from midnight to midnight of
 * the organization's clock.
 */
export type LeaveInterval = {
  user_id: string;
  request_id: string;
  type: LeaveType;
  start_at: string;
  end_at: string;
  all_day: boolean;
};

/** Dates (`YYYY-MM-DD`), both included. */
type Dates = { from: string; to: string };

/**
 * The holidays of some dates, in their order, and the approved leave of users that touches others, as intervals of the
 * organization's clock: whole days from midnight to midnight, workdays or not. For who plans their time. One statement,
 * however many users.
 */
export async function daysOff(
  { connection, organization_id }: Reader,
  asked: { user_ids: readonly string[]; holidays: Dates; leave: Dates },
): Promise<{ holidays: NamedHoliday[]; leave: LeaveInterval[] }> {
  const { user_ids, holidays, leave } = asked;
  const [found] = await connection.query<Found>(FIND, [
    organization_id,
    user_ids,
    leave.from,
    leave.to,
    holidays.from,
    holidays.to,
  ]);
  const { dated, company, requests } = found!;
  return {
    holidays: namedHolidays(dated, company, holidays.from, holidays.to),
    leave: requests.length > 0 ? leaveBy(found!) : [],
  };
}

type Owned<Row> = Row & { member_id: string };

type Found = {
  dated: DatedRow[];
  company: Omit<NamedHoliday, 'kind'>[];
  requests: (LiveRequest & { user_id: string })[];
  /** These are read where there is a request. */
  schedules: ScheduleRow[] | null;
  terms: Owned<DatedTerms>[] | null;
  roster: Owned<RosterDay>[] | null;
};

const rowsOf = (select: string) =>
  `(SELECT coalesce(jsonb_agg(to_jsonb(one)), '[]') FROM (${select}) AS one)`;
const onlyWithLeave = (rows: string) => `CASE WHEN EXISTS (SELECT FROM requests) THEN ${rows} END`;

const FIND = `
  WITH requests AS MATERIALIZED (
    SELECT member.user_id, ${spanColumns.map((column) => `request.${column}`).join(', ')}
      FROM attendance_members AS member
      JOIN attendance_leave_requests AS request
        ON request.organization_id = member.organization_id AND request.member_id = member.id
     WHERE member.organization_id = $1 AND member.user_id = ${oneOf('$2')} AND request.status = 'approved'
       AND request.start_date BETWEEN $3::date - ${MOST_DAYS} AND $4 AND request.end_date >= $3
  )
  SELECT
    ${rowsOf('SELECT * FROM requests ORDER BY user_id, start_date, id')} AS requests,
    ${rowsOf(`SELECT effective_from, settings FROM attendance_dated_settings
               WHERE organization_id = $1 ORDER BY effective_from`)} AS dated,
    ${rowsOf(`SELECT date, name, name_en, counts_as FROM attendance_holidays
               WHERE organization_id = $1 AND date BETWEEN $5 AND $6 ORDER BY date`)} AS company,
    ${onlyWithLeave(rowsOf('SELECT * FROM attendance_schedules WHERE organization_id = $1'))} AS schedules,
    ${onlyWithLeave(
      rowsOf(`SELECT member_id, effective_from, work_system, schedule_id, deemed_minutes, flexible_limit
                FROM attendance_terms
               WHERE organization_id = $1 AND member_id IN (SELECT member_id FROM requests)
               ORDER BY effective_from`),
    )} AS terms,
    ${onlyWithLeave(
      rowsOf(`SELECT member_id, date, day_type, schedule_id FROM attendance_roster_days
               WHERE organization_id = $1 AND member_id IN (SELECT member_id FROM requests)
                 AND date BETWEEN (SELECT min(start_date) FROM requests) AND (SELECT max(end_date) FROM requests)`),
    )} AS roster`;

function leaveBy({ dated, requests, schedules, terms, roster }: Found): LeaveInterval[] {
  const rules = rulesOf({
    settings: ruleSettings(dated, defaultPlain),
    schedules: schedules!.map(scheduleOf),
    holidays: [],
  });
  const termsOf = Map.groupBy(terms!, ({ member_id }) => member_id);
  const rosterOf = Map.groupBy(roster!, ({ member_id }) => member_id);
  return requests.flatMap((request) => {
    const { member_id } = request;
    const own = { terms: termsOf.get(member_id) ?? [], roster: rosterOf.get(member_id) ?? [] };
    const plans = plansOf(rules, { hired_on: null, left_on: null, ...own, leave: [], frozen: [] });
    const { zone } = settingsOn(rules, dayOf(request.start_date));
    const away = awayDuring(request, (date) => planOf(plans, dayOf(date)).times, zone);
    if (!away) return [];
    const { user_id, id: request_id, type } = request;
    const [start_at, end_at] = [instantOf(away.start), instantOf(away.end)];
    const all_day = clockAt(zone, away.start) === 0 && clockAt(zone, away.end) === 0;
    return [{ user_id, request_id, type, start_at, end_at, all_day }];
  });
}
