import type { DayLimits } from './classes.ts';
import { type DayPlan, type MemberPlans, planOf } from './day-plan.ts';
import { periodOf, weekStartOf } from './rules.ts';
import { dailyLimit, firstDayOfWeek, settlementOf, weeklyLimit } from './statutory-limits.ts';

/** What goes on from day to day: the minutes of weeks, and of periods that are settled as a whole. */
export class Counting {
  private readonly plans: MemberPlans;
  private readonly weeks = new Map<number, number>();
  private readonly settlements = new Map<string, NonNullable<DayLimits['settlement']>>();

  constructor(plans: MemberPlans) {
    this.plans = plans;
  }

  /** Says what a day added to its week. Days come in order. */
  add(plan: DayPlan, week_minutes: number): void {
    this.weeks.set(plan.day, week_minutes);
  }

  /** The limits of a day, after those before it. */
  limits(plan: DayPlan): DayLimits {
    const settlement = this.settlement(plan);
    if (plan.system === 'exempt' || plan.system === 'flexible') {
      return { daily: dailyLimit(plan), weekly_left: 0, settlement };
    }
    let before = 0;
    for (let day = firstDayOfWeek(this.plans, plan); day < plan.day; day += 1)
      before += this.weeks.get(day) ?? 0;
    return { daily: dailyLimit(plan), weekly_left: weeklyLimit(this.plans, plan) - before, settlement };
  }

  private settlement(plan: DayPlan): DayLimits['settlement'] {
    const { system } = plan;
    if (system !== 'flexible' && system !== 'variable_monthly') return null;
    const period = periodOf(this.plans.rules, plan.day);
    const key = `${system} ${period.month}`;
    let settlement = this.settlements.get(key);
    if (!settlement) {
      settlement = { ...settlementOf(this.plans, period, system), counted: 0 };
      this.settlements.set(key, settlement);
    }
    return settlement;
  }
}

/**
 * The first day that must be counted for the figures of some: the beginning of their weeks, and of the period where hours
 * are settled by it.
 */
export function firstCounted(plans: MemberPlans, from: number, to: number): number {
  let first = from;
  for (let day = from; day <= Math.min(to, from + 6); day += 1) {
    first = Math.min(first, weekStartOf(planOf(plans, day).settings, day));
  }
  const period = periodOf(plans.rules, from);
  if (period.start < first && isSettled(plans, from, Math.min(to, period.end))) return period.start;
  return first;
}

/** Whether some days have hours that their period settles. */
export function isSettled(plans: MemberPlans, from: number, to: number): boolean {
  for (let day = from; day <= to; day += 1) {
    const { system } = planOf(plans, day);
    if (system === 'flexible' || system === 'variable_monthly') return true;
  }
  return false;
}
