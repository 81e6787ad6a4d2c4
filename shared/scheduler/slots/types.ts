/**
 * What the rules of slots take and give. Instants are milliseconds since 1970, durations whole minutes, dates `YYYY-MM-DD`,
 * clock times `HH:MM`. Time zones are names of the IANA database. The input is valid: who calls has checked its form.
 */

export type Weekday = 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday';

/** The end may be `24:00`; one before the start is on the next date. They are not equal. */
export type ClockInterval = { start: string; end: string };

/** When a member is there at all, by the clock of a time zone. */
export type Availability = {
  time_zone: string;
  weekly: readonly { days: readonly Weekday[]; start: string; end: string }[];
  /** One a date; an empty list closes it. */
  overrides: readonly { date: string; intervals: readonly ClockInterval[] }[];
  closed_on_holidays: boolean;
};

/**
 * What occupies a member, exact to the millisecond. Bookings and holds have the buffers of the day they were made, the others
 * have none. One whose end is not after its start occupies nothing.
 */
export type Block = {
  kind: 'booking' | 'hold' | 'external' | 'block' | 'leave';
  id: string | null;
  start: number;
  end: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
};

/** A member of the event type, with all that decides when the member is free. */
export type Host = Availability & {
  role: 'required' | 'optional' | 'rotating';
  /** In any order. A booking that is moved is not among them, nor the hold of who asks. */
  blocks: readonly Block[];
  /** Whether the member's calendars are known well enough to offer any time. */
  calendar_works: boolean;
};

export type BookingWindow =
  | { type: 'rolling_days' | 'business_days'; days: number }
  | { type: 'range'; from: string; to: string }
  | { type: 'none' };

export type Limits = {
  per_day: number | null;
  per_week: number | null;
  per_month: number | null;
  minutes_per_day: number | null;
};

/** What the arithmetic reads of an event type. */
export type EventRules = {
  /** The grid's: where dates of starts, the minutes of the hour and the limits are counted. */
  time_zone: string;
  /** The length that is wanted, of those that the type offers. */
  duration_minutes: number;
  /** Null: the duration. */
  slot_interval_minutes: number | null;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  min_notice_minutes: number;
  booking_window: BookingWindow;
  limits: Limits;
  seats_per_slot: number;
};

/** A start of this event type that guests share. It is among the blocks of its hosts, too. */
export type Session = { start: number; end: number; seats_left: number };

/** All that starts follow from. */
export type Question = {
  now: number;
  event_type: EventRules;
  /** In the members' order. At least one is required or rotating. */
  hosts: readonly Host[];
  /** Dates, without those that count as workdays, as far as starts may lie and the days before them are looked at. */
  holidays: readonly string[];
  week_starts_on: 'sunday' | 'monday';
  /** The bookings of this type that count for its limits, a session once, of all weeks and months asked about. */
  counted: readonly { start: number; end: number }[];
  sessions: readonly Session[];
};

/** Why a start is not bookable, in the order in which it is asked. */
export const reasons = [
  'past',
  'too_soon',
  'beyond_window',
  'not_aligned',
  'outside_hours',
  'busy',
  'buffer',
  'seats_full',
  'limit_reached',
  'calendar_unavailable',
] as const;

export type Reason = (typeof reasons)[number];

/** `host` is the place among the hosts of the one whose reason it is. `blocked_by` stands with `busy` and `buffer`. */
export type Verdict =
  | { ok: true; reason: null; host: null; blocked_by: null }
  | {
      ok: false;
      reason: Reason;
      host: number;
      blocked_by: { kind: Block['kind']; id: string | null } | null;
    };

export type Slot = { start: number; end: number; seats_left: number };

export type Candidate = Verdict & { start: number };
