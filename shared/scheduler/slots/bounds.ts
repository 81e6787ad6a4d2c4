import { dayAt, dayOf, weekdayOf, type Zone } from '../../kernel/local-time.ts';
import type { BookingWindow, EventRules } from './types.ts';

const MINUTE = 60_000;

/** No window reaches further, in days after today. */
const FURTHEST = 730;

/** Within what starts lie: the minute before which it is too soon, and the first and last day in the grid's zone. */
export type Bounds = { now: number; earliest: number; first_day: number; last_day: number };

/** The bounds of an event type at an instant (slots, rule 4). `holidays` are days since 1970. */
export function boundsOf(
  { min_notice_minutes, booking_window }: Pick<EventRules, 'min_notice_minutes' | 'booking_window'>,
  now: number,
  zone: Zone,
  holidays: ReadonlySet<number>,
): Bounds {
  const today = dayAt(zone, Math.floor(now / MINUTE));
  return {
    now,
    earliest: Math.ceil(now / MINUTE) + min_notice_minutes,
    first_day: booking_window.type === 'range' ? dayOf(booking_window.from) : -Infinity,
    last_day: Math.min(lastDay(booking_window, today, holidays), today + FURTHEST),
  };
}

function lastDay(window: BookingWindow, today: number, holidays: ReadonlySet<number>): number {
  switch (window.type) {
    case 'rolling_days':
      return today + window.days;
    case 'business_days':
      return businessDay(window.days, today, holidays);
    case 'range':
      return dayOf(window.to);
    case 'none':
      return Infinity;
  }
}

/** The Nth day after today that is Monday to Friday and not a holiday; today itself with 0. */
function businessDay(count: number, today: number, holidays: ReadonlySet<number>): number {
  let [day, left] = [today, count];
  while (left > 0 && day < today + FURTHEST) {
    day += 1;
    if (weekdayOf(day) % 6 !== 0 && !holidays.has(day)) left -= 1;
  }
  return day;
}
