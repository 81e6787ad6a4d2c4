import { dateOf, dayOf, minuteOf } from '../../kernel/local-time.ts';
import { isSettled } from './counting.ts';
import { type MemberPlans, planOf } from './day-plan.ts';
import { dayAt, periodOf, type Rules, weekStartOf } from './rules.ts';
import type { Session } from './types.ts';

/** Dates, both inclusive. */
export type Dates = { from: string; to: string };

/** A session begins a day after its work date at the latest and lasts two days: so far its minutes go. */
const DAYS_BEFORE = 4;
const DAYS_AFTER = 2;

/**
 * Of which work dates `recordsOf` needs the sessions, roster, leave and frozen days, to make the records of some dates.
 * It looks at settings and periods alone, for a member whatever the terms: their weeks and their periods.
 */
export function daysToRead(rules: Rules, { from, to }: Dates): Dates {
  const [first, last] = [dayOf(from), dayOf(to)];
  return {
    from: dateOf(Math.min(first - 6, periodOf(rules, first).start) - DAYS_BEFORE),
    to: dateOf(Math.max(last + 6, periodOf(rules, last).end) + DAYS_AFTER),
  };
}

/**
 * Which records may change when the sessions of a work date become others: from the first day that the old or the new ones
 * touch to the end of the last one's week, with flexible and variable hours of its period.
 */
export function daysTouchedBy(
  plans: MemberPlans,
  work_date: string,
  sessions: readonly Pick<Session, 'clock_in_at' | 'clock_out_at'>[],
): Dates {
  const day = dayOf(work_date);
  const days = sessions.flatMap(({ clock_in_at, clock_out_at }) =>
    [clock_in_at, clock_out_at ?? clock_in_at].map((instant) => dayAt(plans.rules, minuteOf(instant))),
  );
  const first = Math.min(day, ...days);
  const last = Math.max(day, ...days);
  return { from: dateOf(first), to: dateOf(endOfCount(plans, last)) };
}

/** The last day whose figures may follow from those of a day. */
function endOfCount(plans: MemberPlans, day: number): number {
  let end = weekStartOf(planOf(plans, day).settings, day) + 6;
  for (let other = day + 1; other <= day + 6; other += 1) {
    if (weekStartOf(planOf(plans, other).settings, other) <= day) end = Math.max(end, other);
  }
  const period = periodOf(plans.rules, day);
  return isSettled(plans, day, period.end) ? Math.max(end, period.end) : end;
}
