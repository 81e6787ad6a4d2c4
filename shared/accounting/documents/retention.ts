import type { FiscalYear } from '../years/record.ts';

/** Years that documents are kept: ten, as after a year with a loss (法人税法施行規則 art. 26-3; art. 59 asks for seven). */
export const RETENTION_YEARS = 10;

/**
 * The day until which what is of a day is kept: so many years after the last day of the second month behind its fiscal
 * year, which is when the tax return of the year is due; without such a year two years more from the day itself.
 */
export function retentionUntil(
  years: readonly Pick<FiscalYear, 'start_date' | 'end_date'>[],
  date: string,
  retention_years: number,
): string {
  const year = years.find(({ start_date, end_date }) => start_date <= date && date <= end_date);
  if (!year) return dayOf(Temporal.PlainDate.from(date).add({ years: retention_years + 2 }));
  const due = Temporal.PlainDate.from(year.end_date).with({ day: 1 }).add({ months: 2 });
  const until = due.add({ years: retention_years });
  return dayOf(until.with({ day: until.daysInMonth }));
}

/** No day has more than four digits of its year: what would be kept for longer is kept until the last one. */
function dayOf(date: Temporal.PlainDate): string {
  return date.year > 9999 ? '9999-12-31' : date.toString();
}
