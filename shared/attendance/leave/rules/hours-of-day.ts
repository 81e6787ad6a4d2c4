import { minuteOf } from './span.ts';

/** Minutes after a day's midnight, from `start` until before `end`; past 1,440 it is the night after. */
export type Minutes = { start: number; end: number };

/** The working time of a day, as leave takes from it. */
export type WorkingTime = {
  /** The window less its breaks, in order. */
  scheduled: readonly Minutes[];
  /** The end of the morning half, and the begin of the afternoon half. */
  am_end: number;
  pm_start: number;
};

/** The scheduled minutes that hours from a time on take, in order. */
export function hoursTaken(
  { scheduled }: WorkingTime,
  { start_time, hours }: { start_time: string; hours: number },
): Minutes[] {
  let left = hours * 60;
  const taken: Minutes[] = [];
  for (const { start, end } of scheduledFrom(scheduled, start_time)) {
    const until = Math.min(end, start + left);
    if (until > start) taken.push({ start, end: until });
    left -= until - start;
  }
  return taken;
}

/** The most hours that can be taken from a time on: those that have scheduled minutes, a begun one too. */
export function mostHoursFrom({ scheduled }: WorkingTime, start_time: string): number {
  const minutes = scheduledFrom(scheduled, start_time).reduce((sum, { start, end }) => sum + end - start, 0);
  return Math.ceil(minutes / 60);
}

/** The scheduled minutes from a time on. Of a night's window a time before its begin is the next morning's. */
function scheduledFrom(scheduled: readonly Minutes[], start_time: string): Minutes[] {
  const begin = scheduled[0]?.start ?? 0;
  const end = scheduled.at(-1)?.end ?? 0;
  const minute = minuteOf(start_time);
  const from = minute < begin && minute + 1440 < end ? minute + 1440 : minute;
  return scheduled
    .filter((one) => one.end > from)
    .map((one) => ({ start: Math.max(one.start, from), end: one.end }));
}
