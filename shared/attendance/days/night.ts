import { type MemberPlans, planOf } from './day-plan.ts';
import type { Interval } from './intervals.ts';
import { dayAt } from './rules.ts';

/** Minutes of an interval between 22:00 and 05:00 local (Labour Standards Act art. 37(4)). */
export function nightMinutes(plans: MemberPlans, { start, end }: Interval): number {
  let sum = 0;
  for (let day = dayAt(plans.rules, start), from = start; from < end; day += 1) {
    const plan = planOf(plans, day);
    const to = Math.min(end, plan.end);
    if (to <= from) continue;
    sum +=
      Math.max(0, Math.min(to, plan.night_end) - from) + Math.max(0, to - Math.max(from, plan.night_start));
    from = to;
  }
  return sum;
}

/** An interval cut where night begins and ends. */
export function cutAtNight(plans: MemberPlans, { start, end }: Interval): (Interval & { night: boolean })[] {
  const parts: (Interval & { night: boolean })[] = [];
  for (let day = dayAt(plans.rules, start), from = start; from < end; day += 1) {
    const plan = planOf(plans, day);
    for (const border of [plan.night_end, plan.night_start, plan.end]) {
      const to = Math.min(end, border);
      if (to <= from) continue;
      parts.push({ start: from, end: to, night: border !== plan.night_start });
      from = to;
    }
  }
  return parts;
}
