import { dateOf, dayOf } from '../../kernel/local-time.ts';
import { rowOn } from './dated-rows.ts';
import { overtimeLawOn } from './overtime-law.ts';
import { monthNumber, monthText, Periods } from './periods.ts';
import type { Agreement, DatedSettings } from './types.ts';

type Rows = readonly Pick<DatedSettings, 'effective_from' | 'closing_day' | 'agreements'>[];

/**
 * Which agreement under article 36 a month (`YYYY-MM`) has: the last of the settings of its period's first day that holds by
 * then. Without one: the limits of the law, without special clause, the year from April.
 */
export function agreementsOf(settings: Rows): (month: string) => Agreement {
  const periods = new Periods(settings);
  const rows = settings.map((row) => ({
    from: dayOf(row.effective_from),
    agreements: row.agreements.map((one) => ({ from: dayOf(one.effective_from), agreement: one })),
  }));
  // Asked for each month of each member, who share them.
  const known = new Map<string, Agreement>();
  return (month) => {
    const had = known.get(month);
    if (had) return had;
    const { start } = periods.ofMonth(monthNumber(month));
    const row = rowOn(rows, start) ?? rows[0]!;
    const agreement = rowOn(row.agreements, start)?.agreement ?? withoutAgreement(dateOf(start));
    known.set(month, agreement);
    return agreement;
  };
}

function withoutAgreement(date: string): Agreement {
  const law = overtimeLawOn(date);
  return {
    effective_from: law.effective_from,
    year_start_month: 4,
    special_clause: false,
    month_limit_minutes: law.month_limit_minutes,
    year_limit_minutes: law.year_limit_minutes,
    special_year_limit_minutes: law.special_year_limit_minutes,
    special_month_count: law.special_month_count,
  };
}

/** The first month of the agreement's year that a month lies in. */
export function agreementYearStart(agreement: Agreement, month: string): string {
  const number = monthNumber(month);
  const since = ((number % 12) + 1 - agreement.year_start_month + 12) % 12;
  return monthText(number - since);
}
