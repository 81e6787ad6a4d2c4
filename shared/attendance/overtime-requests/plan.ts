import { dayOf, minuteOf } from '../../kernel/local-time.ts';
import { type Interval, intersect, lengthOf, lengthWithin, subtract } from '../days/intervals.ts';
import type { LimitsAsked } from '../days/limits.ts';
import { dayAt, type Rules, startOf } from '../days/rules.ts';
import { plannedInterval } from '../days/session-pieces.ts';
import type { ApprovedOvertime, DayType, Segment } from '../days/types.ts';

/** Planned overtime of a work date. */
export type Planned = ApprovedOvertime & { work_date: string };

/** How long some overtime is planned to be, in minutes. */
export function plannedMinutes(planned: ApprovedOvertime): number {
  return lengthOf([plannedInterval(planned)]);
}

/** Minutes that were worked in the planned time and are not `scheduled`, by the segments of the days around it. */
export function actualMinutes(planned: ApprovedOvertime, segments: readonly Segment[]): number {
  const beyond = worked(segments.filter((segment) => segment.class !== 'scheduled'));
  return lengthOf(intersect([plannedInterval(planned)], beyond));
}

/** What a plan adds to a month: minutes of it that nobody has worked yet. */
export type Addition = { statutory_overtime_minutes: number; legal_holiday_minutes: number };

/**
 * What is left of a plan, as work on a legal holiday where the work date or the date of a minute is one, else as statutory
 * overtime: of a plan nobody knows yet which minutes will be within 8 hours and 40 hours a week.
 */
export function additionOf(
  planned: Planned,
  segments: readonly Segment[],
  { rules, dayTypeOn }: { rules: Rules; dayTypeOn: (day: number) => DayType | undefined },
): Addition {
  const left = subtract([plannedInterval(planned)], worked(segments));
  const all = lengthOf(left);
  if (dayTypeOn(dayOf(planned.work_date)) === 'legal_holiday') {
    return { statutory_overtime_minutes: 0, legal_holiday_minutes: all };
  }
  let legal_holiday_minutes = 0;
  const last = dayAt(rules, minuteOf(planned.planned_end_at));
  for (let day = dayAt(rules, minuteOf(planned.planned_start_at)); day <= last; day += 1) {
    if (dayTypeOn(day) !== 'legal_holiday') continue;
    legal_holiday_minutes += lengthWithin(left, startOf(rules, day), startOf(rules, day + 1));
  }
  return { statutory_overtime_minutes: all - legal_holiday_minutes, legal_holiday_minutes };
}

/** What the limits of a month are computed from, with more overtime or work on legal holidays in that month. */
export function withAddition(asked: LimitsAsked, added: Addition): LimitsAsked {
  const { month } = asked;
  const own = asked.months.find((one) => one.month === month);
  const sum: LimitsAsked['months'][number] = {
    month,
    statutory_overtime_minutes: (own?.statutory_overtime_minutes ?? 0) + added.statutory_overtime_minutes,
    legal_holiday_minutes: (own?.legal_holiday_minutes ?? 0) + added.legal_holiday_minutes,
  };
  return { ...asked, months: [...asked.months.filter((one) => one.month !== month), sum] };
}

const NOT_WORKED: readonly Segment['class'][] = ['break', 'gap', 'ignored'];

/** The worked minutes among some segments, in order of time: minutes of neighbouring days may lie between each other. */
function worked(segments: readonly Segment[]): Interval[] {
  return segments
    .filter((segment) => !NOT_WORKED.includes(segment.class))
    .map(({ start_at, end_at }) => ({ start: minuteOf(start_at), end: minuteOf(end_at) }))
    .toSorted((one, other) => one.start - other.start);
}
