import { dateOf, dayAt, weekdayOf, type Zone } from '../../kernel/local-time.ts';
import type { EventRules, Question } from './types.ts';

const MINUTE = 60_000;

/** How many bookings there are by day, by the first day of a week, by month; and the milliseconds of those of a day. */
type Counts = {
  days: Map<number, number>;
  weeks: Map<number, number>;
  months: Map<string, number>;
  lengths: Map<number, number>;
};

/**
 * Tells of a day in the grid's zone whether the limits of an event type leave it no further start (slots, rule 5): a full
 * day, week or month, or a day whose minutes would exceed `minutes_per_day`.
 */
export function fullDays(
  { counted, week_starts_on }: Pick<Question, 'counted' | 'week_starts_on'>,
  { limits, duration_minutes }: Pick<EventRules, 'limits' | 'duration_minutes'>,
  zone: Zone,
): (day: number) => boolean {
  const weekOf = (day: number) => day - ((weekdayOf(day) + (week_starts_on === 'monday' ? 6 : 0)) % 7);
  const counts: Counts = { days: new Map(), weeks: new Map(), months: new Map(), lengths: new Map() };
  for (const { start, end } of counted) {
    const day = dayAt(zone, Math.floor(start / MINUTE));
    add(counts.days, day, 1);
    add(counts.weeks, weekOf(day), 1);
    add(counts.months, monthOf(day), 1);
    add(counts.lengths, day, end - start);
  }
  const { per_day, per_week, per_month, minutes_per_day } = limits;
  return (day) =>
    (per_day !== null && (counts.days.get(day) ?? 0) >= per_day) ||
    (per_week !== null && (counts.weeks.get(weekOf(day)) ?? 0) >= per_week) ||
    (per_month !== null && (counts.months.get(monthOf(day)) ?? 0) >= per_month) ||
    (minutes_per_day !== null &&
      (counts.lengths.get(day) ?? 0) + duration_minutes * MINUTE > minutes_per_day * MINUTE);
}

function monthOf(day: number): string {
  return dateOf(day).slice(0, 7);
}

function add<Key>(sums: Map<Key, number>, key: Key, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
