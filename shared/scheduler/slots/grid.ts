import { clockAt, MINUTES_OF_DAY, startOfDay, type Zone } from '../../kernel/local-time.ts';
import type { Interval } from './intervals.ts';

const MINUTE = 60_000;

/**
 * A date of the grid's zone: its minutes, and the stretches of it between clock changes. `hour` is a minute at which an hour
 * begins on the clock of that stretch.
 */
export type GridDay = Interval & { day: number; stretches: readonly { end: number; hour: number }[] };

/** How far aligned minutes are apart: the largest step that divides the interval between starts (slots, rule 3). */
export function stepOf(interval_minutes: number): number {
  return [60, 30, 20, 15, 10, 5].find((step) => interval_minutes % step === 0) ?? 1;
}

/** A day since 1970 in a zone. Only one with a clock change is asked of the calendar. */
export function gridDay(zone: Zone, day: number): GridDay {
  const [start, end] = [startOfDay(zone, day), startOfDay(zone, day + 1)];
  if (end - start === MINUTES_OF_DAY) return { day, start, end, stretches: [{ end, hour: start }] };
  const stretches: { end: number; hour: number }[] = [];
  for (let from = start; from < end; from = stretches.at(-1)!.end) {
    stretches.push({ end: Math.min(nextChange(zone, from), end), hour: from - (clockAt(zone, from) % 60) });
  }
  return { day, start, end, stretches };
}

/**
 * The first aligned minute of a day from one on: its minute of the hour, by the clock of the grid's zone, is a multiple of
 * the step. The day's end if there is none.
 */
export function alignedFrom(day: GridDay, step: number, minute: number): number {
  let from = minute;
  for (const { end, hour } of day.stretches) {
    if (from >= end) continue;
    const aligned = hour + Math.ceil((from - hour) / step) * step;
    if (aligned < end) return aligned;
    from = end;
  }
  return day.end;
}

/** The minute at which the clock of a zone changes next after another. */
function nextChange(zone: Zone, minute: number): number {
  const at = Temporal.Instant.fromEpochMilliseconds(minute * MINUTE).toZonedDateTimeISO(zone.name);
  const change = at.getTimeZoneTransition('next');
  return change ? change.epochMilliseconds / MINUTE : Infinity;
}
