import { clockAt, dateOf, minuteOf } from '../../kernel/local-time.ts';
import { type MemberPlans, planOf } from './day-plan.ts';
import { dayAt, settingsOn } from './rules.ts';

/** So long before its window a day's work may begin and still be that day's. */
const EARLIEST_BEFORE_WINDOW = 180;

/**
 * The work date of a clock_in that names none: the workday whose window, as leave has left it, contains it or starts at most
 * three hours after it, of several the one that starts latest (a shift from 04:00, clock_in 03:50: that date); else the
 * calendar date, before `day_boundary_time` the one before. It is found before rounding.
 */
export function workDateOf(plans: MemberPlans, clock_in_at: string): string {
  const minute = minuteOf(clock_in_at);
  const calendar = dayAt(plans.rules, minute);
  let found: { day: number; start: number } | null = null;
  for (let day = calendar - 2; day <= calendar + 1; day += 1) {
    const window = planOf(plans, day).left;
    if (!window || minute >= window.end || window.start - minute > EARLIEST_BEFORE_WINDOW) continue;
    if (!found || window.start >= found.start) found = { day, start: window.start };
  }
  if (found) return dateOf(found.day);
  const { zone, day_boundary } = settingsOn(plans.rules, calendar);
  return dateOf(clockAt(zone, minute) < day_boundary ? calendar - 1 : calendar);
}
