import { leaveLawOn } from './law.ts';
import { lastOfMonths, monthsAfter } from './months.ts';

/** A year in which only so many hours of annual leave may be taken (Labour Standards Act art. 39(4)). */
export type HourlyYear = { first: string; last: string };

/** The year of a day: each begins with an anniversary of the first grant, or with it. Null before the first grant. */
export function hourlyYearOf(first_granted_on: string, day: string): HourlyYear | null {
  if (day < first_granted_on) return null;
  let years = 0;
  while (monthsAfter(first_granted_on, (years + 1) * 12) <= day) years += 1;
  return {
    first: monthsAfter(first_granted_on, years * 12),
    last: lastOfMonths(first_granted_on, (years + 1) * 12),
  };
}

/** The hours that may still be taken in the year of a day, others of it being taken; below 0 where they are too many. */
export function hourlyCapLeft(
  first_granted_on: string,
  taken: readonly { date: string; hours: number }[],
  day: string,
  hours_per_day: number,
): number {
  const year = hourlyYearOf(first_granted_on, day);
  const cap = leaveLawOn(day).hourly_days * hours_per_day;
  if (year === null) return cap;
  const within = taken.filter(({ date }) => year.first <= date && date <= year.last);
  return cap - within.reduce((sum, { hours }) => sum + hours, 0);
}
