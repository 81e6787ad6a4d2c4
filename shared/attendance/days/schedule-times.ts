import { clockMinutes, MINUTES_OF_DAY, minuteAt, type Zone } from '../../kernel/local-time.ts';
import type { Interval } from './intervals.ts';
import type { Schedule } from './types.ts';

/** A schedule in minutes since the midnight of its day; what lies on the next day has 1,440 and more. */
export type ScheduleTimes = {
  schedule: Schedule;
  window: Interval;
  /** In order of time. */
  breaks: Interval[];
  am_end: number;
  pm_start: number;
  core: Interval | null;
};

/** The times of a schedule: an `end` that is not after its start, and what lies before `start`, belong to the next day. */
export function timesOf(schedule: Schedule): ScheduleTimes {
  const start = clockMinutes(schedule.start);
  const at = (time: string) => notBefore(start, clockMinutes(time));
  const between = (part: { start: string; end: string }): Interval => {
    const begin = at(part.start);
    return { start: begin, end: after(begin, clockMinutes(part.end)) };
  };
  return {
    schedule,
    window: { start, end: after(start, clockMinutes(schedule.end)) },
    breaks: schedule.breaks.map(between).toSorted((one, other) => one.start - other.start),
    am_end: at(schedule.half_day.am_end),
    pm_start: at(schedule.half_day.pm_start),
    core: schedule.core && between(schedule.core),
  };
}

function notBefore(start: number, time: number): number {
  return time < start ? time + MINUTES_OF_DAY : time;
}

function after(start: number, time: number): number {
  let end = time;
  while (end <= start) end += MINUTES_OF_DAY;
  return end;
}

/** An interval of a schedule on a day, as minutes since 1970. */
export function onDay(zone: Zone, day: number, { start, end }: Interval): Interval {
  return { start: minuteAt(zone, day, start), end: minuteAt(zone, day, end) };
}

/** Where a clock time lies on a schedule's day: before its start it is the next day's, if the window reaches it there. */
export function clockOnSchedule({ window }: ScheduleTimes, time: string): number {
  const clock = notBefore(window.start, clockMinutes(time));
  return clock < window.end ? clock : clockMinutes(time);
}
