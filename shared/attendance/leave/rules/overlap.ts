import { hoursTaken, type Minutes, type WorkingTime } from './hours-of-day.ts';
import { type DayPart, type LeaveSpan, partsOf } from './span.ts';

/** The working time of a day. */
export type TimeOn = (date: string) => WorkingTime;

/**
 * Whether two requests of one member ask for the same time of a day. Days that are no workdays count: they may become
 * some. The two halves of a day never overlap.
 */
export function overlaps(one: LeaveSpan, other: LeaveSpan, timeOn: TimeOn): boolean {
  if (one.start_date > other.end_date || other.start_date > one.end_date) return false;
  const parts = new Map(partsOf(other).map((each) => [each.date, each]));
  return partsOf(one).some((mine) => {
    const theirs = parts.get(mine.date);
    return theirs !== undefined && meet(one, mine, other, theirs, timeOn);
  });
}

function meet(one: LeaveSpan, mine: DayPart, other: LeaveSpan, theirs: DayPart, timeOn: TimeOn): boolean {
  if (mine.part === 'full' || theirs.part === 'full' || mine.part === theirs.part) {
    if (mine.part !== 'hourly' || theirs.part !== 'hourly') return true;
  }
  if (mine.part !== 'hourly' && theirs.part !== 'hourly') return false;
  const time = timeOn(mine.date);
  const others = minutesOf(other, theirs, time);
  return minutesOf(one, mine, time).some((a) => others.some((b) => a.start < b.end && b.start < a.end));
}

function minutesOf({ start_time, hours }: LeaveSpan, { part }: DayPart, time: WorkingTime): Minutes[] {
  if (part === 'hourly') return hoursTaken(time, { start_time: start_time!, hours: hours! });
  return time.scheduled
    .map(({ start, end }) =>
      part === 'half_am'
        ? { start, end: Math.min(end, time.pm_start) }
        : { start: Math.max(start, time.am_end), end },
    )
    .filter(({ start, end }) => start < end);
}
