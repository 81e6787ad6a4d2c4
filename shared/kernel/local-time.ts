import { DAY } from './days.ts';

const MINUTE = 60_000;
export const MINUTES_OF_DAY = 24 * 60;

/** So many beginnings of days are kept of a time zone: all that an organization looks at within twenty years. */
const KEPT_DAYS = 8_000;

/**
 * The days of a time zone on the scale of minutes since 1970 in UTC. The beginning of each day is asked for once; a day
 * without clock change is computed from it, so that a day costs the calendar nothing.
 */
export type Zone = { name: string; starts: Map<number, number> };

const zones = new Map<string, Zone>();

/** The one value of a time zone of the IANA database. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const zone = { name, starts: new Map() };
  zones.set(name, zone);
  return zone;
}

/** Days since 1970-01-01 of a date. */
export function dayOf(date: string): number {
  return Date.parse(date) / DAY;
}

/** The date of a day. */
export function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** 0 (Sunday) to 6. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The minute that an instant lies in, since 1970 in UTC. */
export function minuteOf(instant: string): number {
  return Math.floor(Date.parse(instant) / MINUTE);
}

/** The instant at which a minute begins. */
export function instantOf(minute: number): string {
  return new Date(minute * MINUTE).toISOString();
}

/** Minutes since midnight of `HH:MM`. */
export function clockMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** The minute at which a day begins in a zone: where midnight is skipped, the first one that there is. */
export function startOfDay(zone: Zone, day: number): number {
  const known = zone.starts.get(day);
  if (known !== undefined) return known;
  if (zone.starts.size >= KEPT_DAYS) zone.starts.clear();
  const start = plainDate(day).toZonedDateTime(zone.name).epochMilliseconds / MINUTE;
  zone.starts.set(day, Math.floor(start));
  return Math.floor(start);
}

/**
 * The minute at which the clock of a day shows some minutes since midnight; 1,440 and more lie on the days after. A time
 * that the clock shows twice is the first one, one that it skips is as much later as it skips (as in Temporal).
 */
export function minuteAt(zone: Zone, day: number, clock: number): number {
  const on = day + Math.floor(clock / MINUTES_OF_DAY);
  const minutes = clock % MINUTES_OF_DAY;
  const start = startOfDay(zone, on);
  if (startOfDay(zone, on + 1) - start === MINUTES_OF_DAY) return start + minutes;
  const time = new Temporal.PlainTime(Math.floor(minutes / 60), minutes % 60);
  return plainDate(on).toZonedDateTime({ timeZone: zone.name, plainTime: time }).epochMilliseconds / MINUTE;
}

/** The day that a minute lies on in a zone: the last one that has begun. */
export function dayAt(zone: Zone, minute: number): number {
  let day = Math.floor(minute / MINUTES_OF_DAY) + 1;
  while (startOfDay(zone, day) > minute) day -= 1;
  return day;
}

/** What the clock of a zone shows at a minute, as minutes since midnight. */
export function clockAt(zone: Zone, minute: number): number {
  const day = dayAt(zone, minute);
  const start = startOfDay(zone, day);
  if (startOfDay(zone, day + 1) - start === MINUTES_OF_DAY) return minute - start;
  const at = Temporal.Instant.fromEpochMilliseconds(minute * MINUTE).toZonedDateTimeISO(zone.name);
  return at.hour * 60 + at.minute;
}

function plainDate(day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from(dateOf(day));
}
