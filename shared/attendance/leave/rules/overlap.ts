import { type Interval, intersect, subtract } from '../../days/intervals.ts';
import type { ScheduleTimes } from '../../days/schedule-times.ts';
import { hoursTaken, scheduledOf } from './hours-of-day.ts';
import { type DayPart, type LeaveSpan, partsOf } from './span.ts';

/** The times of the schedule of a date; null where there is none. */
export type TimesOn = (date: string) => ScheduleTimes | null;

/**
 * Whether two requests of one member ask for the same time of a day. Days that are no workdays count: they may become
 * some. The two halves of a day never overlap.
 */
export function overlaps(one: LeaveSpan, other: LeaveSpan, timesOn: TimesOn): boolean {
  if (one.start_date > other.end_date || other.start_date > one.end_date) return false;
  const parts = new Map(partsOf(other).map((each) => [each.date, each]));
  return partsOf(one).some((mine) => {
    const theirs = parts.get(mine.date);
    return theirs !== undefined && meet(one, mine, other, theirs, timesOn(mine.date));
  });
}

function meet(
  one: LeaveSpan,
  mine: DayPart,
  other: LeaveSpan,
  theirs: DayPart,
  times: ScheduleTimes | null,
): boolean {
  if (mine.part === 'full' || theirs.part === 'full') return true;
  if (mine.part !== 'hourly' && theirs.part !== 'hourly') return mine.part === theirs.part;
  if (times === null) return true;
  return intersect(minutesOf(one, mine, times), minutesOf(other, theirs, times)).length > 0;
}

function minutesOf({ start_time, hours }: LeaveSpan, { part }: DayPart, times: ScheduleTimes): Interval[] {
  if (part === 'hourly') return hoursTaken(times, { start_time: start_time!, hours: hours! });
  const { window, am_end, pm_start } = times;
  const others =
    part === 'half_am' ? { start: pm_start, end: window.end } : { start: window.start, end: am_end };
  return subtract(scheduledOf(times), [others]);
}
