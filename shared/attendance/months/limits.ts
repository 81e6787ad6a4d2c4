import type { Reader } from '../../kernel/reader.ts';
import { type Limits, type LimitsAsked, limitsOf } from '../days/limits.ts';
import type { DayRecord } from '../days/types.ts';
import { Calendars } from '../records/calendars.ts';
import { memberPlansOf, type PlansOfMember } from '../records/member-days.ts';
import type { MonthLaid } from './month.ts';
import { overtimeOf } from './overtime.ts';

/**
 * How a month stands against article 36 for each of some members, as of a date; null for who is exempt on all days of the
 * period (Labour Standards Act art. 41(2)). A fixed number of statements, however many members.
 */
export async function limitsOfMembers(
  reader: Reader,
  members: ReadonlyMap<string, PlansOfMember>,
  laid: MonthLaid,
  calendars: Calendars,
  as_of: string,
): Promise<Map<string, Limits | null>> {
  const asked = await limitsAskedOf(reader, members, laid, calendars, as_of);
  return new Map([...asked].map(([id, one]) => [id, one && limitsOf(one)]));
}

/** What the limits of a month as of today are computed from, for each of some members; null for who is exempt. */
export async function limitsAskedFor(
  reader: Reader,
  member_ids: readonly string[],
  laid: MonthLaid,
): Promise<Map<string, LimitsAsked | null>> {
  const dates = { from: laid.period.start, to: laid.period.end };
  const members = await memberPlansOf(reader, member_ids, dates);
  return limitsAskedOf(reader, members, laid, new Calendars(laid.rules, dates), laid.today);
}

async function limitsAskedOf(
  reader: Reader,
  members: ReadonlyMap<string, PlansOfMember>,
  laid: MonthLaid,
  calendars: Calendars,
  as_of: string,
): Promise<Map<string, LimitsAsked | null>> {
  const months = await overtimeOf(reader, [...members.keys()], laid, as_of);
  return new Map(
    [...members].map(([id, member]) => {
      const { days } = calendars.withoutLeave(member);
      if (isExempt(days)) return [id, null];
      const workdays = days.filter(isWorkday);
      const done = workdays.filter(({ work_date }) => work_date <= as_of).length;
      const asked: LimitsAsked = {
        month: laid.month,
        months: months.get(id) ?? [],
        agreementOf: laid.agreementOf,
        workdays_done: done,
        workdays_left: workdays.length - done,
      };
      return [id, asked];
    }),
  );
}

function isWorkday({ day_type, is_employed }: DayRecord): boolean {
  return day_type === 'workday' && is_employed;
}

function isExempt(days: readonly DayRecord[]): boolean {
  const employed = days.filter(({ is_employed }) => is_employed);
  return employed.length > 0 && employed.every(({ work_system }) => work_system === 'exempt');
}
