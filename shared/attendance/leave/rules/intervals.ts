import { hoursTaken } from './hours-of-day.ts';
import type { TimeOn } from './overlap.ts';
import { type LeaveSpan, partsOf } from './span.ts';

/** A time away, as instants in milliseconds since 1970: from `start` until before `end`. */
export type Interval = { start: number; end: number };

const DAY = 1440;

/**
 * When somebody on leave is away: whole days from midnight to midnight, workdays or not; the morning half until
 * `pm_start`, the afternoon half from `am_end`; hours to the end that the schedule gives them. Null for hours of a day on
 * which none is scheduled any more.
 */
export function awayDuring(span: LeaveSpan, timeOn: TimeOn, time_zone: string): Interval | null {
  const parts = partsOf(span);
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const at = (date: string, minute: number) => instantOf(date, minute, time_zone);
  if (first.part === 'hourly') {
    const taken = hoursTaken(timeOn(first.date), { start_time: span.start_time!, hours: span.hours! });
    if (taken.length === 0) return null;
    return { start: at(first.date, taken[0]!.start), end: at(first.date, taken.at(-1)!.end) };
  }
  const start = first.part === 'half_pm' ? timeOn(first.date).am_end : 0;
  return { start: at(first.date, start), end: at(last.date, endOf(last.part, last.date, timeOn)) };
}

function endOf(part: LeaveSpan['unit'], date: string, timeOn: TimeOn): number {
  if (part === 'full') return DAY;
  const { pm_start, scheduled } = timeOn(date);
  // The afternoon half of a night's window ends with the window.
  return part === 'half_am' ? pm_start : Math.max(DAY, scheduled.at(-1)?.end ?? 0);
}

/** The instant of a minute after a day's midnight on the clock of a time zone. */
function instantOf(date: string, minute: number, time_zone: string): number {
  return Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: minute }).toZonedDateTime(time_zone)
    .epochMilliseconds;
}
