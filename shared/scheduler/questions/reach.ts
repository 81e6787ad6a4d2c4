import { dateOf } from '../../kernel/local-time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A date of the grid's zone is scanned whole; one on which clocks go back has more than 24 hours. */
const LONGEST_DATE = 26 * HOUR;

/** No booking is longer than a day, and its buffer with that of the wanted one adds at most another. */
const LONGEST_BOOKING = 2 * DAY;

/** A month that a range touches, and the days of a week on both of its sides. */
const LONGEST_MONTH = 33 * DAY;

/** The last day after today that can be booked, and the one after it. */
const FURTHEST_IN_DAYS = 731;

/** Dates (`YYYY-MM-DD`), both included. */
type Dates = { from: string; to: string };

/**
 * As far as records can matter for starts of a range, in whatever time zone its dates are scanned. Instants are milliseconds
 * since 1970.
 */
export type Reach = {
  /** Bookings and holds that matter start at this or later. */
  bookings_from: number;
  /** What matters of anything else ends after this. */
  blocks_from: number;
  /** What matters starts before this. */
  until: number;
  /** Bookings that count for the limits of a touched week or month start from this to before that. */
  counted_from: number;
  counted_until: number;
  /** Dates on which holidays matter, and those on which leave does. */
  holidays: Dates;
  leave: Dates;
};

/** How far records matter for the starts from an instant to before another, of which those before `earliest` are refused. */
export function reachOf(asked: {
  from: number;
  to: number;
  now: number;
  earliest: number;
  in_business_days: boolean;
}): Reach {
  const { from, to, now, earliest, in_business_days } = asked;
  const first = Math.max(from, earliest) - LONGEST_DATE;
  const until = Math.max(to, first) + LONGEST_DATE + LONGEST_BOOKING;
  const leave = { from: dateAt(first - LONGEST_BOOKING), to: dateAt(until + DAY) };
  return {
    bookings_from: first - LONGEST_BOOKING,
    blocks_from: first - DAY,
    until,
    counted_from: Math.max(from, earliest) - LONGEST_MONTH,
    counted_until: Math.max(to, first) + LONGEST_MONTH,
    holidays: {
      from: dateAt(Math.min(first, now) - LONGEST_BOOKING),
      to: in_business_days ? dateAt(Math.max(until, now + FURTHEST_IN_DAYS * DAY)) : leave.to,
    },
    leave,
  };
}

function dateAt(instant: number): string {
  return dateOf(Math.floor(instant / DAY));
}
