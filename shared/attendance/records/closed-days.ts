import { dayOf } from '../../kernel/local-time.ts';
import { shown } from '../days/periods.ts';
import type { Dates } from '../days/reach.ts';
import { recordsOf } from '../days/records.ts';
import { periodOf, type Rules } from '../days/rules.ts';
import type { MemberDays } from '../days/types.ts';
import { monthLocked } from '../submissions/closed.ts';
import { isSameFigures } from './days.ts';
import type { DaysOfMember } from './member-days.ts';

/** Sees that a work date is not of a closed period. Errors: `month_locked`. */
export function requireOpenDay(
  { rules, member }: { rules: Rules; member: Pick<DaysOfMember, 'frozen'> },
  work_date: string,
): void {
  if (member.frozen.some((day) => day.work_date === work_date)) throw lockedDay(rules, work_date);
}

/**
 * Sees that changed sessions leave the closed days among some dates as they are: a session of an open day may have minutes on
 * a holiday before it, and those of an earlier day enter the week. Errors: `month_locked`.
 */
export function requireClosedUnchanged({
  rules,
  before,
  after,
  dates,
}: {
  rules: Rules;
  before: MemberDays;
  after: MemberDays;
  dates: Dates;
}): void {
  const closed = before.frozen.flatMap(({ work_date }) =>
    dates.from <= work_date && work_date <= dates.to ? [work_date] : [],
  );
  if (closed.length === 0) return;
  const asked = { from: closed[0]!, to: closed.at(-1)!, with_frozen: true };
  const others = recordsOf(rules, after, asked);
  for (const [index, day] of recordsOf(rules, before, asked).entries()) {
    if (closed.includes(day.work_date) && !isSameFigures(day, others[index]!)) {
      throw lockedDay(rules, day.work_date);
    }
  }
}

/** Periods that are closed keep their dates, so the rules of today know the month of a closed day. */
function lockedDay(rules: Rules, work_date: string) {
  return monthLocked(shown(periodOf(rules, dayOf(work_date))).month, work_date);
}
