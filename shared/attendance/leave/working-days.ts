import { oneOf } from '../../db/one-of.ts';
import { dayOf, type Zone } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { kindOf, type MemberPlans, planOf, plansOf } from '../days/day-plan.ts';
import { rulesOf, settingsOn } from '../days/rules.ts';
import type { ScheduleTimes } from '../days/schedule-times.ts';
import type { DatedTerms, RosterDay } from '../days/types.ts';
import { organizationRules } from '../organization-rules.ts';

/** What leave asks of the days of one member. */
export type WorkingDays = {
  /**
   * Whether a day of leave on a date counts: on workdays, and for shifts also while there is no roster of the day yet.
   */
  counts: (date: string) => boolean;
  /** The times of the schedule of a date, workday or not; null where the organization has no schedule. */
  timesOn: (date: string) => ScheduleTimes | null;
  zoneOn: (date: string) => Zone;
};

/** The days of members from a date to another one, by roster, terms, holidays and settings as they are now. */
export async function workingDaysOf(
  reader: Reader,
  member_ids: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<(member_id: string) => WorkingDays> {
  const values = [reader.organization_id, member_ids];
  const [organization, members, terms, roster] = await Promise.all([
    organizationRules(reader, from, to),
    reader.connection.query<Employment>(
      `SELECT id, hired_on, left_on FROM attendance_members WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
      values,
    ),
    reader.connection.query<Owned<DatedTerms>>(
      `SELECT member_id, effective_from, work_system, schedule_id, deemed_minutes, flexible_limit
         FROM attendance_terms WHERE organization_id = $1 AND member_id = ${oneOf('$2')} ORDER BY effective_from`,
      values,
    ),
    reader.connection.query<Owned<RosterDay>>(
      `SELECT member_id, date, day_type, schedule_id FROM attendance_roster_days
        WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND date BETWEEN $3 AND $4`,
      [...values, from, to],
    ),
  ]);
  const rules = rulesOf(organization);
  const termsOf = Map.groupBy(terms, ({ member_id }) => member_id);
  const rosterOf = Map.groupBy(roster, ({ member_id }) => member_id);
  const days = new Map(
    members.map(({ id, hired_on, left_on }) => {
      const own = { terms: termsOf.get(id) ?? [], roster: rosterOf.get(id) ?? [] };
      return [id, daysBy(plansOf(rules, { hired_on, left_on, ...own, leave: [], frozen: [] }))];
    }),
  );
  return (member_id) => days.get(member_id)!;
}

type Employment = { id: string; hired_on: string | null; left_on: string | null };

type Owned<Row> = Row & { member_id: string };

function daysBy(plans: MemberPlans): WorkingDays {
  return {
    counts: (date) => {
      const day = dayOf(date);
      const { day_type, system, is_employed } = kindOf(plans, day);
      const awaits_roster = system === 'shift' && !plans.roster.has(day);
      return is_employed && (day_type === 'workday' || awaits_roster);
    },
    timesOn: (date) => planOf(plans, dayOf(date)).times,
    zoneOn: (date) => settingsOn(plans.rules, dayOf(date)).zone,
  };
}
