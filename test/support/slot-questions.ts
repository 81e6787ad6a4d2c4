import { atOnce } from '../../shared/kernel/turns.ts';
import { startsOf } from '../../shared/scheduler/slots/starts.ts';
import type { Block, EventRules, Host, Question, Weekday } from '../../shared/scheduler/slots/types.ts';

const MINUTE = 60_000;

export const EVERY_DAY: readonly Weekday[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** A required member in Tokyo who is there on every day from one time to another. */
export function hostFrom(start: string, end: string, changes: Partial<Host> = {}): Host {
  return {
    time_zone: 'Asia/Tokyo',
    weekly: [{ days: EVERY_DAY, start, end }],
    overrides: [],
    closed_on_holidays: false,
    role: 'required',
    blocks: [],
    calendar_works: true,
    ...changes,
  };
}

/** An external event without buffers between two instants (ISO 8601), with some changed. */
export function blockFrom(start: string, end: string, changes: Partial<Block> = {}): Block {
  return {
    kind: 'external',
    id: null,
    start: Date.parse(start),
    end: Date.parse(end),
    buffer_before_minutes: 0,
    buffer_after_minutes: 0,
    ...changes,
  };
}

type Changes = Partial<Omit<Question, 'event_type' | 'now'>> & {
  now?: string;
  event_type?: Partial<EventRules>;
};

/** A question of the evening of 2027-01-31 in Tokyo, about half an hour with one member, without notice or limits. */
export function questionOf({ now, event_type, ...changes }: Changes): Question {
  return {
    now: Date.parse(now ?? '2027-01-31T09:00:00Z'),
    event_type: {
      time_zone: 'Asia/Tokyo',
      duration_minutes: 30,
      slot_interval_minutes: null,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      min_notice_minutes: 0,
      booking_window: { type: 'rolling_days', days: 60 },
      limits: { per_day: null, per_week: null, per_month: null, minutes_per_day: null },
      seats_per_slot: 1,
      ...event_type,
    },
    hosts: [hostFrom('10:00', '13:00')],
    holidays: [],
    week_starts_on: 'sunday',
    counted: [],
    sessions: [],
    ...changes,
  };
}

/** The starts that are offered on a date of the grid's zone, as its clock shows them. */
export function clockStarts(question: Question, date: string): string[] {
  const { time_zone } = question.event_type;
  const from = Temporal.PlainDate.from(date).toZonedDateTime(time_zone);
  const until = from.add({ days: 1 });
  const offered = atOnce(startsOf(question).offered(from.epochMilliseconds, until.epochMilliseconds));
  return offered.map(({ start }) => clockOf(start, time_zone));
}

/** The starts that are offered between two instants (ISO 8601), as instants to the minute: `2027-02-01T01:00Z`. */
export function instantStarts(question: Question, from: string, to: string): string[] {
  const offered = atOnce(startsOf(question).offered(Date.parse(from), Date.parse(to)));
  return offered.map(({ start }) => `${new Date(start).toISOString().slice(0, 16)}Z`);
}

/** The reason for which a start (ISO 8601) is not bookable, or `bookable`. */
export function reasonOf(question: Question, start: string): string {
  return startsOf(question).verdict(Date.parse(start)).reason ?? 'bookable';
}

/** A span of so many minutes from an instant (ISO 8601) on. */
export function spanOf(start: string, minutes: number): { start: number; end: number } {
  return { start: Date.parse(start), end: Date.parse(start) + minutes * MINUTE };
}

function clockOf(instant: number, time_zone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
  return at.toPlainTime().toString({ smallestUnit: 'minute' });
}
