import { weekdayOf } from '../../../shared/kernel/local-time.ts';

/** A date of a month, whose weeks begin on Sunday or Monday; null for a place in a week that the month does not fill. */
export type Weeks = readonly (readonly (string | null)[])[];

/** The weeks of a month `YYYY-MM`. */
export function weeksOf(month: string, week_starts_on: 'sunday' | 'monday'): Weeks {
  const { first, days } = boundsOf(month);
  const lead = (weekdayOf(first) - (week_starts_on === 'monday' ? 1 : 0) + 7) % 7;
  const weeks: (string | null)[][] = [];
  for (let at = -lead; at < days; at += 7) {
    weeks.push(
      Array.from({ length: 7 }, (_, place) => {
        const day = at + place;
        return day >= 0 && day < days ? `${month}-${String(day + 1).padStart(2, '0')}` : null;
      }),
    );
  }
  return weeks;
}

function boundsOf(month: string): { first: number; days: number } {
  const yearMonth = Temporal.PlainYearMonth.from(month);
  return { first: Date.parse(`${month}-01`) / 86_400_000, days: yearMonth.daysInMonth };
}

/** The month some months later, or earlier. */
export function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** The month of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}
