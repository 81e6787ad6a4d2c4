import { minuteAt, type Zone } from '../../kernel/local-time.ts';
import { firstMinutes, type Interval, lengthOf, subtract } from './intervals.ts';
import { clockOnSchedule, onDay, type ScheduleTimes } from './schedule-times.ts';
import type { LeaveOfDay } from './types.ts';

/** What leave made of a workday. */
export type WindowAfterLeave = {
  /** From the first to the last minute that leave left of the window, breaks included; null: nothing. */
  left: Interval | null;
  /** The minutes of it that are scheduled: without breaks. */
  scheduled: Interval[];
  /** Scheduled minutes that leave took. */
  taken: number;
};

/** Hours are counted from what the other leave of the day left, so they come last. */
const ORDER = { full: 0, half_am: 1, half_pm: 2, hourly: 3 };

/**
 * Takes leave out of a workday's window: `full` all of it, `half_am` all before `pm_start`, `half_pm` all from `am_end`,
 * hourly the next hours' worth of scheduled minutes from `start_time` on. `breaks` are those of the day.
 */
export function afterLeave(
  zone: Zone,
  day: number,
  times: ScheduleTimes,
  window: Interval,
  breaks: readonly Interval[],
  leave: readonly LeaveOfDay[],
): WindowAfterLeave {
  let scheduled = subtract([window], breaks);
  if (leave.length === 0) return { left: window, scheduled, taken: 0 };
  const whole = lengthOf(scheduled);
  let rest: Interval[] = [window];
  for (const one of inOrderOfLeave(leave, times)) {
    const gone = takenBy(one, zone, day, times, window, scheduled);
    scheduled = subtract(scheduled, [gone]);
    rest = subtract(rest, [gone]);
  }
  const left = rest.length === 0 ? null : { start: rest[0]!.start, end: rest.at(-1)!.end };
  return { left, scheduled, taken: whole - lengthOf(scheduled) };
}

function inOrderOfLeave(leave: readonly LeaveOfDay[], times: ScheduleTimes): LeaveOfDay[] {
  const start = (one: LeaveOfDay) => (one.start_time === null ? 0 : clockOnSchedule(times, one.start_time));
  return leave.toSorted((one, other) => ORDER[one.unit] - ORDER[other.unit] || start(one) - start(other));
}

function takenBy(
  leave: LeaveOfDay,
  zone: Zone,
  day: number,
  times: ScheduleTimes,
  window: Interval,
  scheduled: readonly Interval[],
): Interval {
  if (leave.unit === 'full') return window;
  if (leave.unit === 'half_am') return { start: window.start, end: minuteAt(zone, day, times.pm_start) };
  if (leave.unit === 'half_pm') return { start: minuteAt(zone, day, times.am_end), end: window.end };
  const start = minuteAt(zone, day, clockOnSchedule(times, leave.start_time!));
  const after = subtract(scheduled, [{ start: window.start, end: start }]);
  const taken = firstMinutes(after, leave.hours! * 60);
  return { start, end: taken.at(-1)?.end ?? start };
}

/**
 * The interval that hours of leave take from a schedule on a day, in minutes since 1970, when no other leave is on it: to
 * the end of the last scheduled minute.
 */
export function hourlyInterval(zone: Zone, day: number, times: ScheduleTimes, leave: LeaveOfDay): Interval {
  const window = onDay(zone, day, times.window);
  const breaks = times.breaks.map((one) => onDay(zone, day, one));
  return takenBy(leave, zone, day, times, window, subtract([window], breaks));
}
