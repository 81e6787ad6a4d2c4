import { dateOf, dayAt, MINUTES_OF_DAY, startOfDay, zoneOf } from '../../kernel/local-time.ts';
import type { Range } from '../range.ts';
import type { Slot } from '../slots/types.ts';
import type { Slots } from './record.ts';

const MINUTE = 60_000;

/** Starts as the API shows them, on the clock of a time zone. */
export function shownSlots(
  slots: readonly Slot[],
  { time_zone, duration_minutes, from, to }: Range & { time_zone: string; duration_minutes: number },
): Slots {
  return {
    object: 'scheduler.slots',
    time_zone,
    duration_minutes,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    slots: slots.map(({ start, end, seats_left }) => ({
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      local_start: localTime(start, time_zone),
      seats_left,
    })),
  };
}

/**
 * What the clock of a time zone shows at a whole minute, with its offset: `2026-12-01T10:00:00+09:00`. Of days without a clock
 * change the calendar is asked once: a month may have 3,000 starts.
 */
export function localTime(instant: number, time_zone: string): string {
  const zone = zoneOf(time_zone);
  const minute = instant / MINUTE;
  const day = dayAt(zone, minute);
  const start = startOfDay(zone, day);
  if (startOfDay(zone, day + 1) - start !== MINUTES_OF_DAY) {
    const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
    return at.toString({ timeZoneName: 'never', smallestUnit: 'second' });
  }
  const offset = day * MINUTES_OF_DAY - start;
  const sign = offset < 0 ? '-' : '+';
  return `${dateOf(day)}T${clock(minute - start)}:00${sign}${clock(Math.abs(offset))}`;
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
