import type { DayPlan } from './day-plan.ts';
import type { Interval } from './intervals.ts';
import type { Settlement } from './statutory-limits.ts';
import type { WorkClass } from './types.ts';

/** What decides the class of a day's worked minutes besides its plan. */
export type DayLimits = {
  /** Most minutes of the day before overtime. */
  daily: number;
  /** Minutes left of the week before overtime, before the day's first. */
  weekly_left: number;
  /** The settlement that the day belongs to, with the minutes counted so far; null: none. */
  settlement: (Settlement & { counted: number }) | null;
};

/** Which part of statutory overtime a minute is in; null: neither. */
export type OvertimePart = 'daily' | 'weekly' | null;

/** A run of worked minutes of one class. */
export type ClassRun = Interval & { class: WorkClass; part: OvertimePart };

type Next = { class: WorkClass; part: OvertimePart; length: number };

/**
 * Numbers the worked minutes of a day in order of the clock and gives each its class. `settlement.counted` goes on, so
 * days of a period are asked for in order.
 */
export function classesOf(plan: DayPlan, limits: DayLimits, work: readonly Interval[]): ClassRun[] {
  const runs: ClassRun[] = [];
  let count = 0;
  for (const { start, end } of work) {
    for (let from = start; from < end; ) {
      const next = classAt(plan, limits, count, from);
      const length = Math.min(end - from, next.length);
      runs.push({ start: from, end: from + length, class: next.class, part: next.part });
      if (limits.settlement && plan.day_type !== 'legal_holiday' && next.part === null) {
        limits.settlement.counted += length;
      }
      count += length;
      from += length;
    }
  }
  return runs;
}

const ENDLESS = Number.POSITIVE_INFINITY;

/** The class of the minute after `count` others, and how many minutes have it at the most. */
function classAt(plan: DayPlan, limits: DayLimits, count: number, minute: number): Next {
  if (plan.system === 'exempt') return { class: 'scheduled', part: null, length: ENDLESS };
  if (plan.day_type === 'legal_holiday') return { class: 'legal_holiday', part: null, length: ENDLESS };
  if (plan.system === 'flexible') return settled(limits.settlement!);
  if (count >= limits.daily) return { class: 'statutory_overtime', part: 'daily', length: ENDLESS };
  const day_left = limits.daily - count;
  const week_left = limits.weekly_left - count;
  if (week_left <= 0) return { class: 'statutory_overtime', part: 'weekly', length: day_left };
  const most = Math.min(day_left, week_left);
  const { settlement } = limits;
  const period_left = settlement ? settlement.limit - settlement.counted : ENDLESS;
  if (period_left <= 0) return { class: 'statutory_overtime', part: null, length: most };
  const next = withinLimits(plan, count, minute);
  return { ...next, length: Math.min(next.length, most, period_left) };
}

/** Flexible hours (art. 32-3): the number of a minute in its period decides alone. */
function settled({ required, limit, counted }: NonNullable<DayLimits['settlement']>): Next {
  if (counted >= limit) return { class: 'statutory_overtime', part: null, length: ENDLESS };
  if (counted < required) {
    return { class: 'scheduled', part: null, length: Math.min(required, limit) - counted };
  }
  return { class: 'non_statutory_overtime', part: null, length: limit - counted };
}

function withinLimits(plan: DayPlan, count: number, minute: number): Next {
  if (plan.day_type !== 'workday') return { class: 'prescribed_holiday', part: null, length: ENDLESS };
  if (plan.settings.row.scheduled_basis === 'window' && plan.system !== 'discretionary') {
    return byWindow(plan.scheduled, minute);
  }
  if (count >= plan.required_minutes) return { class: 'non_statutory_overtime', part: null, length: ENDLESS };
  return { class: 'scheduled', part: null, length: plan.required_minutes - count };
}

/** `window`: what lies in the window without breaks and leave is scheduled. */
function byWindow(scheduled: readonly Interval[], minute: number): Next {
  for (const { start, end } of scheduled) {
    if (minute < start) return { class: 'non_statutory_overtime', part: null, length: start - minute };
    if (minute < end) return { class: 'scheduled', part: null, length: end - minute };
  }
  return { class: 'non_statutory_overtime', part: null, length: ENDLESS };
}
