import { type DayPlan, type MemberPlans, planOf } from './day-plan.ts';
import { DAILY_STATUTORY_MINUTES } from './overtime-law.ts';
import type { PeriodDays } from './periods.ts';
import { periodOf, weekStartOf } from './rules.ts';

/** Days of a period that are settled together: their required minutes (P), their limit (F). */
export type Settlement = { required: number; limit: number };

/** The most that a day has before overtime: 480 minutes, or what a variable schedule plans beyond (art. 32-2). */
export function dailyLimit(plan: DayPlan): number {
  if (plan.system !== 'variable_monthly') return DAILY_STATUTORY_MINUTES;
  return Math.max(DAILY_STATUTORY_MINUTES, plan.schedule_minutes);
}

/** The first day whose minutes enter the week of a day: variable hours begin anew with each period. */
export function firstDayOfWeek(plans: MemberPlans, plan: DayPlan): number {
  const start = weekStartOf(plan.settings, plan.day);
  if (plan.system !== 'variable_monthly') return start;
  return Math.max(start, periodOf(plans.rules, plan.day).start);
}

/**
 * The most that the week of a day has before overtime (art. 32). For variable hours: that of the days which the week has in
 * the period, or what their schedules plan beyond.
 */
export function weeklyLimit(plans: MemberPlans, plan: DayPlan): number {
  const { weekly_statutory_minutes } = plan.settings.row;
  if (plan.system !== 'variable_monthly') return weekly_statutory_minutes;
  const first = firstDayOfWeek(plans, plan);
  const week_end = weekStartOf(plan.settings, plan.day) + 6;
  const last = Math.min(week_end, periodOf(plans.rules, plan.day).end);
  const share = Math.floor((weekly_statutory_minutes * (last - first + 1)) / 7);
  let scheduled = 0;
  for (let day = first; day <= last; day += 1) {
    const other = planOf(plans, day);
    if (other.system === 'variable_monthly') scheduled += other.schedule_minutes;
  }
  return Math.max(share, scheduled);
}

/**
 * What the flexible or variable days of a period may have together: floor(weekly limit x days / 7), each day with the
 * weekly limit of its date; 480 a workday where an agreement for flexible hours says so (art. 32-3(3)).
 */
export function settlementOf(
  plans: MemberPlans,
  period: PeriodDays,
  system: 'flexible' | 'variable_monthly',
): Settlement {
  let required = 0;
  let sevenfold = 0;
  let workdays = 0;
  for (let day = period.start; day <= period.end; day += 1) {
    const plan = planOf(plans, day);
    if (plan.system !== system || !plan.is_employed) continue;
    required += plan.required_minutes;
    if (system === 'flexible' && plan.terms?.flexible_limit === 'workdays') {
      if (plan.day_type === 'workday') workdays += 1;
    } else sevenfold += plan.settings.row.weekly_statutory_minutes;
  }
  return { required, limit: Math.floor(sevenfold / 7) + workdays * DAILY_STATUTORY_MINUTES };
}
