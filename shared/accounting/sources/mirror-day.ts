import type { PeriodLock } from '../locks/record.ts';
import { dayBefore } from '../years/days.ts';
import type { FiscalYear } from '../years/record.ts';

/** What closes days: years that are closed, days without a year, and locks that keep the caller out. */
export type OpenDays = {
  years: readonly Pick<FiscalYear, 'start_date' | 'end_date' | 'status'>[];
  /** Those alone that refuse the caller and the source of the entry. */
  locks: readonly Pick<PeriodLock, 'from' | 'to'>[];
};

/**
 * The last open day from `latest` back to `earliest`, both included; null where none of them is. It steps over whole years
 * and locks, so that a search through years of closed days is as short as their number.
 */
export function lastOpenDay({ years, locks }: OpenDays, earliest: string, latest: string): string | null {
  let day = latest;
  while (day >= earliest) {
    const year = years.find(({ start_date, end_date }) => start_date <= day && day <= end_date);
    const lock = locks.find(({ from, to }) => (from === null || from <= day) && day <= to);
    if (year?.status === 'open' && !lock) return day;
    if (year && year.status !== 'open') day = dayBefore(year.start_date);
    else if (lock) {
      if (lock.from === null) return null;
      day = dayBefore(lock.from);
    } else {
      const before = years.map(({ end_date }) => end_date).filter((end) => end < day);
      if (before.length === 0) return null;
      day = before.reduce((one, other) => (one > other ? one : other));
    }
  }
  return null;
}
