import fc from 'fast-check';
import type { Session } from '../../shared/attendance/days/types.ts';
import { dateOf, startOfDay, zoneOf } from '../../shared/kernel/local-time.ts';

export type Stay = {
  pause: number;
  minutes: number;
  breaks: number[][];
  shift: number;
  isOpen: boolean;
  second: number;
};

/** A stay at work: how long after the one before, how long, which breaks, and whose date it is said to be. */
export const stay: fc.Arbitrary<Stay> = fc.record({
  pause: fc.oneof(fc.nat(120), fc.integer({ min: 300, max: 1_300 })),
  minutes: fc.oneof(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 300, max: 1_700 })),
  breaks: fc.array(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 2, maxLength: 2 }), {
    maxLength: 2,
  }),
  shift: fc.constantFrom(0, 0, 0, 0, -1, 1),
  isOpen: fc.nat(25).map((number) => number === 0),
  second: fc.nat(59),
});

/** Stays one after the other as sessions, with seconds, each of the date on which it begins or of one beside it. */
export function sessionsOf(stays: readonly Stay[], time_zone: string, first: number): Session[] {
  const zone = zoneOf(time_zone);
  let cursor = startOfDay(zone, first);
  const at = (minute: number, second: number) => new Date(minute * 60_000 + second * 1_000).toISOString();
  return stays.map(({ pause, minutes, breaks, shift, isOpen, second }) => {
    const begin = cursor + pause + 1;
    const end = begin + minutes;
    cursor = end;
    let day = Math.floor(begin / 1_440) + 1;
    while (startOfDay(zone, day) > begin) day -= 1;
    let last = begin;
    const taken: Session['breaks'][number][] = [];
    for (const [wait, length] of breaks as [number, number][]) {
      const [from, to] = [last + wait, last + wait + length];
      if (to > end) break;
      taken.push({ start_at: at(from, second), end_at: at(to, second) });
      last = to;
    }
    return {
      work_date: dateOf(day + shift),
      clock_in_at: at(begin, second),
      clock_out_at: isOpen ? null : at(end, second),
      breaks: taken,
    };
  });
}
