import {
  clockMinutes,
  dateOf,
  dayAt,
  dayOf,
  MINUTES_OF_DAY,
  minuteAt,
  weekdayOf,
  zoneOf,
} from '../../kernel/local-time.ts';
import { type Interval, merged } from './intervals.ts';
import type { Availability, ClockInterval, Weekday } from './types.ts';

const WEEKDAYS: readonly Weekday[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** A window ends a day after its date at the latest, and a clock change may move it by another one (Samoa, 2011). */
const REACH_IN_DAYS = 2;

/**
 * When somebody is there in the minutes from one to before another, as far as windows tell (slots, rule 1). A date has the
 * intervals of its override, else nothing on a holiday, else the weekly windows of its weekday; a window belongs to the date
 * on which it starts. Windows that begin before or end after these minutes may be cut there. `holidays` are days since 1970.
 */
export function windowsWithin(
  availability: Availability,
  holidays: ReadonlySet<number>,
  { start, end }: Interval,
): Interval[] {
  const zone = zoneOf(availability.time_zone);
  const [first, last] = [dayAt(zone, start) - REACH_IN_DAYS, dayAt(zone, end)];
  const weekly = byWeekday(availability);
  const overrides = overridesBetween(availability, first, last);
  const windows: Interval[] = [];
  for (let day = first; day <= last; day += 1) {
    const closed = availability.closed_on_holidays && holidays.has(day);
    for (const window of overrides.get(day) ?? (closed ? [] : weekly[weekdayOf(day)]!)) {
      windows.push({ start: minuteAt(zone, day, window.start), end: minuteAt(zone, day, window.end) });
    }
  }
  return merged(windows);
}

/** The weekly windows of each weekday, from Sunday on, in minutes since midnight. */
function byWeekday({ weekly }: Availability): Interval[][] {
  const windows: Interval[][] = WEEKDAYS.map(() => []);
  for (const { days, start, end } of weekly) {
    const window = onClock({ start, end });
    for (const name of new Set(days)) windows[WEEKDAYS.indexOf(name)]!.push(window);
  }
  return windows;
}

/** Only those that are looked at: somebody may have a thousand. */
function overridesBetween({ overrides }: Availability, first: number, last: number): Map<number, Interval[]> {
  const [from, to] = [dateOf(first), dateOf(last)];
  const windows = new Map<number, Interval[]>();
  for (const { date, intervals } of overrides) {
    if (from <= date && date <= to) windows.set(dayOf(date), intervals.map(onClock));
  }
  return windows;
}

/** An interval of the clock in minutes since midnight of its date. */
function onClock(interval: ClockInterval): Interval {
  const [start, end] = [clockMinutes(interval.start), clockMinutes(interval.end)];
  return { start, end: end < start ? end + MINUTES_OF_DAY : end };
}
