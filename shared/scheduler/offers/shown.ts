import { dateOf, dayAt, MINUTES_OF_DAY, startOfDay, zoneOf } from '../../kernel/local-time.ts';
import type { Pausing } from '../../kernel/turns.ts';
import type { Range } from '../range.ts';
import type { Slot } from '../slots/types.ts';
import type { Slots } from './record.ts';

const MINUTE = 60_000;

/** Starts as the API shows them, on the clock of a time zone. 62 days may have 89,280. */
export function* shownSlots(
  slots: readonly Slot[],
  { time_zone, duration_minutes, from, to }: Range & { time_zone: string; duration_minutes: number },
): Pausing<Slots> {
  const localTime = localTimes(time_zone);
  const shown: Slots['slots'] = [];
  for (const { start, end, seats_left } of slots) {
    shown.push({
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      local_start: localTime(start),
      seats_left,
    });
    yield;
  }
  return {
    object: 'scheduler.slots',
    time_zone,
    duration_minutes,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    slots: shown,
  };
}

/**
 * What the clock of a time zone shows at whole minutes, with its offset: `2026-12-01T10:00:00+09:00`. Of days without a clock
 * change the calendar is asked once.
 */
export function localTimes(time_zone: string): (instant: number) => string {
  const zone = zoneOf(time_zone);
  let known = { start: 0, end: 0, date: '', offset: '' };
  return (instant) => {
    const minute = instant / MINUTE;
    if (minute < known.start || minute >= known.end) {
      const day = dayAt(zone, minute);
      const [start, end] = [startOfDay(zone, day), startOfDay(zone, day + 1)];
      if (end - start !== MINUTES_OF_DAY) {
        const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
        return at.toString({ timeZoneName: 'never', smallestUnit: 'second' });
      }
      const offset = day * MINUTES_OF_DAY - start;
      known = {
        start,
        end,
        date: dateOf(day),
        offset: `${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`,
      };
    }
    return `${known.date}T${clock(minute - known.start)}:00${known.offset}`;
  };
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
