const MINUTE = 60_000;

/** Milliseconds of a day of 24 hours. */
export const DAY = 24 * 60 * MINUTE;

/** By time zone, the minute that was asked for last, and its day: nearly every request asks. */
const days = new Map<string, { minute: number; day: string }>();

/** The day (YYYY-MM-DD) that it is at an instant in a time zone of the IANA database. */
export function todayIn(time_zone: string, now: Date): string {
  const minute = Math.floor(now.getTime() / MINUTE);
  const last = days.get(time_zone);
  if (last?.minute === minute) return last.day;
  const day = dayOf(now, time_zone);
  days.set(time_zone, { minute, day });
  return day;
}

/** The day of an instant in a time zone; days begin and end with a minute in every zone of this century. */
export function dayOf(instant: Date, time_zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(time_zone)
    .toPlainDate()
    .toString();
}

/** What PostgreSQL and four digits of a year can hold. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The instant at which a day begins in a time zone, as ISO 8601 in UTC with milliseconds; at the ends of the calendar
 * the first or last one that can be stored.
 */
export function startOfDay(day: string, time_zone: string): string {
  const { epochMilliseconds } = Temporal.PlainDate.from(day).toZonedDateTime(time_zone);
  return new Date(Math.min(Math.max(epochMilliseconds, FIRST), LAST)).toISOString();
}

/** The day so many days later, or earlier with a negative count; 9999-12-31 is the last one. */
export function daysLater(day: string, count: number): string {
  const later = new Date(Date.parse(day) + count * DAY).toISOString();
  return later.startsWith('+') ? '9999-12-31' : later.slice(0, 10);
}

/** How many days `to` lies after `from`; negative when it lies before. Both are read as midnight in UTC. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY;
}
