import { daysBetween, daysLater } from '../../../kernel/days.ts';
import { clockMinutes } from '../../../kernel/local-time.ts';
import type { LeaveUnit } from '../kinds.ts';

/** The days and hours that a request is about. */
export type LeaveSpan = {
  unit: LeaveUnit;
  start_date: string;
  /** The last day; that of `start_date` unless the unit is `full`. */
  end_date: string;
  /** With `full`: what is taken of the first day, and of the last. Null is all. */
  start_unit: 'full' | 'half_pm' | null;
  end_unit: 'full' | 'half_am' | null;
  /** With `hourly`: the time on the clock (HH:MM), and whole hours. */
  start_time: string | null;
  hours: number | null;
};

/** What is asked for of one day. */
export type DayPart = { date: string; part: LeaveUnit };

/** Every day of a request with what is asked for of it, in order, workday or not. */
export function partsOf({ unit, start_date, end_date, start_unit, end_unit }: LeaveSpan): DayPart[] {
  if (unit !== 'full') return [{ date: start_date, part: unit }];
  const parts: DayPart[] = [];
  const count = start_date === end_date ? 1 : daysBetween(start_date, end_date) + 1;
  for (let place = 0; place < count; place += 1) {
    // Most requests are for one day, which needs no calendar.
    const date = place === 0 ? start_date : daysLater(start_date, place);
    if (date === start_date && start_unit === 'half_pm') parts.push({ date, part: 'half_pm' });
    else if (date === end_date && end_unit === 'half_am') parts.push({ date, part: 'half_am' });
    else parts.push({ date, part: 'full' });
  }
  return parts;
}

const HALVES: Readonly<Record<LeaveUnit, number>> = { full: 2, half_am: 1, half_pm: 1, hourly: 0 };

/** What a request takes of the days that count: half-days, or hours. */
export function daysTaken(
  span: LeaveSpan,
  counts: (date: string) => boolean,
): { date: string; halves: number; hours: number }[] {
  return partsOf(span)
    .filter(({ date }) => counts(date))
    .map(({ date, part }) => ({
      date,
      halves: HALVES[part],
      hours: part === 'hourly' ? (span.hours ?? 0) : 0,
    }));
}

const NOON = 720;

/** The minute of its first day at which a request begins, for the order of requests that share a day. */
export function startMinuteOf({ unit, start_unit, start_time }: LeaveSpan): number {
  if (unit === 'hourly') return clockMinutes(start_time ?? '00:00');
  return unit === 'half_pm' || start_unit === 'half_pm' ? NOON : 0;
}
