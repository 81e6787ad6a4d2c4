import { DAY } from '../../kernel/days.ts';
import { dateOf } from '../../kernel/local-time.ts';

const HOUR = 3_600_000;

/** A date of the grid's zone is scanned whole; one on which clocks go back has more than 24 hours. */
const LONGEST_DATE = 26 * HOUR;

/** No booking is longer than a day, and its buffer with that of the wanted one adds at most another. */
const LONGEST_BOOKING = 2 * DAY;

/** The last day after today that can be booked, and the one after it. */
const FURTHEST_IN_DAYS = 731;

/** Dates (`YYYY-MM-DD`), both included. */
type Dates = { from: string; to: string };

/** What a limit counts over. */
export type LimitPeriod = 'day' | 'week' | 'month';

/** From a start back to the first minute of its day, week or month, and as far ahead to the end of that. */
const LONGEST: Readonly<Record<LimitPeriod, number>> = {
  day: LONGEST_DATE,
  week: 6 * DAY + LONGEST_DATE,
  month: 30 * DAY + LONGEST_DATE,
};

/**
 * As far as records can matter for starts of a range, in whatever time zone its dates are scanned. Instants are milliseconds
 * since 1970.
 */
export type Reach = {
  /** Bookings and holds that matter start at this or later. */
  bookings_from: number;
  /** What matters ends after this, with the buffer behind it. */
  blocks_from: number;
  /** What matters starts before this. */
  until: number;
  /** Bookings that count for the limits of a touched day, week or month start from `from` to before `until`; null: none count. */
  counted: { from: number; until: number } | null;
  /** Dates on which holidays matter, and those on which leave does. */
  holidays: Dates;
  leave: Dates;
};

/** The starts from an instant to before another, of which those before `earliest` are refused whatever is stored. */
export type Reached = {
  from: number;
  to: number;
  now: number;
  earliest: number;
  /** Between a block and the wanted event, in milliseconds. */
  buffer_before: number;
  in_business_days: boolean;
  /** The longest period of a limit; null where nothing is counted. */
  counted_over: LimitPeriod | null;
};

/** How far records matter for some starts. */
export function reachOf(asked: Reached): Reach {
  const { from, to, now, earliest, buffer_before, in_business_days, counted_over } = asked;
  // A date is scanned from its first minute, but for what is too soon.
  const first = Math.max(from - LONGEST_DATE, earliest);
  const start = Math.max(from, earliest);
  const until = Math.max(to, start) + LONGEST_DATE + LONGEST_BOOKING;
  const first_date = first - LONGEST_DATE - LONGEST_BOOKING;
  const leave = { from: dateAt(first_date), to: dateAt(until + DAY) };
  return {
    bookings_from: first - LONGEST_BOOKING,
    blocks_from: first - buffer_before,
    until,
    counted: counted_over && {
      from: start - LONGEST[counted_over],
      until: Math.max(to, start) + LONGEST[counted_over],
    },
    holidays: {
      from: dateAt(Math.min(first_date, now - LONGEST_DATE)),
      to: in_business_days ? dateAt(Math.max(until, now + FURTHEST_IN_DAYS * DAY)) : leave.to,
    },
    leave,
  };
}

/** The longest period that the limits of an event type count over; null where they count nothing. */
export function countedOver({
  per_day,
  per_week,
  per_month,
  minutes_per_day,
}: CountedLimits): LimitPeriod | null {
  if (per_month !== null) return 'month';
  if (per_week !== null) return 'week';
  return per_day !== null || minutes_per_day !== null ? 'day' : null;
}

type CountedLimits = Record<'per_day' | 'per_week' | 'per_month' | 'minutes_per_day', number | null>;

function dateAt(instant: number): string {
  return dateOf(Math.floor(instant / DAY));
}
