import type { DayPlan } from './day-plan.ts';
import { type Interval, lengthOf, lengthWithin } from './intervals.ts';
import type { RoundedSession } from './session-pieces.ts';
import type { DayRecord } from './types.ts';

/** What a day lacks. `absence_minutes` and `is_absence` hold once the day is past. */
export type Missed = Pick<
  DayRecord,
  'late_minutes' | 'early_leave_minutes' | 'absence_minutes' | 'is_absence' | 'has_presence'
>;

/**
 * When somebody is present for a day: in sessions of its work date, in minutes that count for it, and in its window
 * whatever session that is. A session without end lasts for its own work date alone.
 */
export function presenceOf(
  plan: DayPlan,
  sessions: readonly RoundedSession[],
  counted: readonly Interval[],
): Interval[] {
  const presence: Interval[] = [...counted];
  for (const { start, end, day, is_open } of sessions) {
    if (is_open) {
      if (day === plan.day) presence.push({ start, end: Number.POSITIVE_INFINITY });
    } else if (start < end && (day === plan.day || (plan.left && overlap({ start, end }, plan.left)))) {
      presence.push({ start, end });
    }
  }
  return presence;
}

function overlap(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end;
}

/**
 * Late, early and absent minutes of a day with so many worked minutes. Exempt people owe no hours (Labour Standards Act
 * art. 41(2)), discretionary ones no times (art. 38-3), flexible ones their core time alone (art. 32-3).
 */
export function missedOf(plan: DayPlan, presence: readonly Interval[], worked: number): Missed {
  const has_presence = presence.length > 0;
  const nothing = {
    late_minutes: 0,
    early_leave_minutes: 0,
    absence_minutes: 0,
    is_absence: false,
    has_presence,
  };
  if (plan.day_type !== 'workday' || !plan.is_employed || plan.system === 'exempt') return nothing;
  if (plan.system === 'flexible' && !plan.times?.core) return nothing;
  const asksForTimes = plan.system !== 'flexible' && plan.system !== 'discretionary';
  const { left } = plan;
  const isAbsent = asksForTimes ? !left || !presence.some((one) => overlap(one, left)) : !has_presence;
  if (isAbsent) {
    return {
      ...nothing,
      absence_minutes: Math.max(0, plan.required_minutes - worked),
      is_absence: !has_presence && plan.leave.length === 0,
    };
  }
  if (plan.system === 'discretionary' || !left) return nothing;
  if (plan.system !== 'flexible') return { ...nothing, ...lateAndEarly(left, plan.scheduled, presence) };
  const [first, last] = [plan.core[0], plan.core.at(-1)];
  if (!first || !last) return nothing;
  return { ...nothing, ...lateAndEarly({ start: first.start, end: last.end }, plan.core, presence) };
}

/**
 * Scheduled minutes before the first presence at or after the window's start, and those after the last presence before its
 * end. Where core time passes without presence, all of it is late if somebody came afterwards, else left early.
 */
function lateAndEarly(
  window: Interval,
  scheduled: readonly Interval[],
  presence: readonly Interval[],
): Pick<Missed, 'late_minutes' | 'early_leave_minutes'> {
  let first = Number.POSITIVE_INFINITY;
  let last = window.start;
  for (const { start, end } of presence) {
    if (end > window.start) first = Math.min(first, Math.max(start, window.start));
    if (start < window.end) last = Math.max(last, Math.min(end, window.end));
  }
  if (first === Number.POSITIVE_INFINITY) {
    return { late_minutes: 0, early_leave_minutes: lengthOf(scheduled) };
  }
  if (first >= window.end) return { late_minutes: lengthOf(scheduled), early_leave_minutes: 0 };
  return {
    late_minutes: lengthWithin(scheduled, window.start, first),
    early_leave_minutes: lengthWithin(scheduled, last, window.end),
  };
}

/** A record as it reads on a date: only a past day has absence. */
export function asOf<Day extends Pick<DayRecord, 'work_date' | 'absence_minutes' | 'is_absence'>>(
  day: Day,
  today: string,
): Day {
  if (day.work_date < today) return day;
  return { ...day, absence_minutes: 0, is_absence: false };
}
