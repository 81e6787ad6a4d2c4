import { firstMinutes, type Interval, lengthOf, subtract } from '../../days/intervals.ts';
import { clockOnSchedule, type ScheduleTimes } from '../../days/schedule-times.ts';

/** The working time of a schedule, in minutes since the midnight of its day: the window less its breaks. */
export function scheduledOf({ window, breaks }: ScheduleTimes): Interval[] {
  return subtract([window], breaks);
}

/** The scheduled minutes that hours from a time on take, in order. */
export function hoursTaken(
  times: ScheduleTimes,
  { start_time, hours }: { start_time: string; hours: number },
): Interval[] {
  return firstMinutes(scheduledFrom(times, start_time), hours * 60);
}

/** The most hours that can be taken from a time on: those that have scheduled minutes, a begun one too. */
export function mostHoursFrom(times: ScheduleTimes, start_time: string): number {
  return Math.ceil(lengthOf(scheduledFrom(times, start_time)) / 60);
}

function scheduledFrom(times: ScheduleTimes, start_time: string): Interval[] {
  const before = { start: times.window.start, end: clockOnSchedule(times, start_time) };
  return subtract(scheduledOf(times), [before]);
}
