import { dayOf, MINUTES_OF_DAY, minuteAt, type Zone } from '../../../kernel/local-time.ts';
import type { Interval } from '../../days/intervals.ts';
import { hoursTaken } from './hours-of-day.ts';
import type { TimesOn } from './overlap.ts';
import { type LeaveSpan, partsOf } from './span.ts';

/**
 * When somebody on leave is away, in minutes since 1970: whole days from midnight to midnight, workdays or not; the
 * morning half until `pm_start`, the afternoon half from `am_end`; hours to the end that the schedule gives them. Null
 * for hours of a day on which none is scheduled any more.
 */
export function awayDuring(span: LeaveSpan, timesOn: TimesOn, zone: Zone): Interval | null {
  const parts = partsOf(span);
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const at = (date: string, minute: number) => minuteAt(zone, dayOf(date), minute);
  if (first.part === 'hourly') {
    const times = timesOn(first.date);
    const taken = times ? hoursTaken(times, { start_time: span.start_time!, hours: span.hours! }) : [];
    if (taken.length === 0) return null;
    return { start: at(first.date, taken[0]!.start), end: at(first.date, taken.at(-1)!.end) };
  }
  const start = first.part === 'half_pm' ? (timesOn(first.date)?.am_end ?? NOON) : 0;
  return { start: at(first.date, start), end: at(last.date, endOf(last.part, last.date, timesOn)) };
}

const NOON = MINUTES_OF_DAY / 2;

function endOf(part: LeaveSpan['unit'], date: string, timesOn: TimesOn): number {
  if (part === 'full') return MINUTES_OF_DAY;
  const times = timesOn(date);
  if (part === 'half_am') return times?.pm_start ?? NOON;
  // The afternoon half of a night's window ends with the window.
  return Math.max(MINUTES_OF_DAY, times?.window.end ?? 0);
}
