import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { lockKeeps, locksWithin, periodLocked } from '../locks/queries.ts';
import type { PeriodLock } from '../locks/record.ts';
import { allYears, lockBooksBetween, lockBooksOf, noFiscalYear } from '../years/queries.ts';
import type { FiscalYear } from '../years/record.ts';

/** A day on which an entry is to be written, and what the entry comes from. */
export type EntryDay = { date: string; source_type: string | null };

/** The years and locks that days are judged by; the books of the years are locked until the work commits. */
export type Calendar = { years: readonly FiscalYear[]; locks: readonly PeriodLock[] };

/** Locks the books of the years of these days, shared with others that write, and reads what the days are judged by. */
export async function calendarOf(work: Work, dates: readonly string[]): Promise<Calendar> {
  const [, years, locks] = await Promise.all([
    lockBooksOf(work, dates),
    allYears(work),
    locksWithin(work, dates),
  ]);
  return { years, locks };
}

/** The same for all days between the first and the last of these, one of which is still to be chosen. */
export async function calendarBetween(work: Work, dates: readonly string[]): Promise<Calendar> {
  const days = dates.toSorted();
  const [, years, locks] = await Promise.all([
    lockBooksBetween(work, days[0]!, days.at(-1)!),
    allYears(work),
    locksWithin(work, days),
  ]);
  return { years, locks };
}

/** The year that holds a day, or null. */
export function yearIn({ years }: Pick<Calendar, 'years'>, date: string): FiscalYear | null {
  return years.find(({ start_date, end_date }) => start_date <= date && date <= end_date) ?? null;
}

/** Why the caller may not write an entry on a day, or null. `path` is where the body has the day; null: nowhere. */
export function refusalOf(
  work: Pick<Work, 'actor'>,
  calendar: Calendar,
  day: EntryDay,
  path: string | null = '/date',
): Failure | null {
  const year = yearIn(calendar, day.date);
  if (!year) return noFiscalYear(day.date, path);
  if (year.status === 'closed') return yearClosed(year, day.date);
  const lock = calendar.locks.find((one) => lockKeeps(one, day, work.actor.grants));
  return lock ? periodLocked(day.date, lock) : null;
}

/**
 * The open year of a day on which the caller may write. Errors: `no_fiscal_year`, `fiscal_year_closed`, `period_locked`.
 */
export function requireOpenDay(
  work: Pick<Work, 'actor'>,
  calendar: Calendar,
  day: EntryDay,
  path: string | null = '/date',
): FiscalYear {
  const refusal = refusalOf(work, calendar, day, path);
  if (refusal) throw refusal;
  return yearIn(calendar, day.date)!;
}

function yearClosed({ id, name }: FiscalYear, date: string): Failure {
  const detail = {
    en: `${date} lies in ${name}, which is closed`,
    ja: `${date} は締め切り済みの年度 ${name} に含まれます`,
  };
  return new Failure('fiscal_year_closed', { detail, members: { fiscal_year_id: id } });
}

/** The first of some days on which the caller may write an entry of a source; null where none of them is. */
export async function firstOpenDay(
  work: Work,
  dates: readonly string[],
  source_type: string,
): Promise<string | null> {
  if (dates.length === 0) return null;
  const calendar = await calendarOf(work, dates);
  return dates.find((date) => refusalOf(work, calendar, { date, source_type }) === null) ?? null;
}
