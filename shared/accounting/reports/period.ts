import { Failure, type FieldError } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import type { Text } from '../../kernel/language.ts';
import { dayBefore } from '../years/days.ts';
import type { FiscalYear } from '../years/record.ts';

/** The year of a report, as much of it as its days need. */
export type ReportYear = Pick<FiscalYear, 'id' | 'start_date' | 'end_date'>;

/** How callers say which days they ask for. */
export type AskedDays = {
  fiscal_year_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** The days of a report, inclusive; `year` is the fiscal year that holds both, null where they lie in several. */
export type Period = { year: ReportYear | null; from: string; to: string };

/** A fault of a parameter that its own schema does not find: 422 at its name. */
export function parameterFault(
  path: string,
  code: string,
  message: Text,
  failure: FailureCode = 'validation_failed',
): Failure {
  const fault: FieldError = { in: 'query', path, code, message };
  return new Failure(failure, { detail: message, errors: [fault] });
}

/**
 * The days that are asked for: a fiscal year, or `from` to `to`, by default the year that holds today, else the last one.
 * Errors: `no_fiscal_year`, `unknown_reference`, `validation_failed`.
 */
export function periodOf(years: readonly ReportYear[], asked: AskedDays, today: string): Period {
  const { fiscal_year_id, from, to } = asked;
  if (fiscal_year_id !== undefined && (from ?? to) !== undefined) {
    throw parameterFault('fiscal_year_id', 'not_allowed', {
      en: 'Send fiscal_year_id, or from and to',
      ja: 'fiscal_year_id と from・to は同時に指定できません',
    });
  }
  if (from === undefined && to === undefined) {
    const year = fiscal_year_id === undefined ? currentYear(years, today) : yearBy(years, fiscal_year_id);
    return { year, from: year.start_date, to: year.end_date };
  }
  if (from === undefined) throw required('from');
  if (to === undefined) throw required('to');
  if (from > to) {
    throw parameterFault('to', 'too_small', {
      en: `to must be ${from} or later`,
      ja: `to は${from}以降の日付にしてください`,
    });
  }
  if (!years.some(({ start_date, end_date }) => start_date <= to && from <= end_date)) {
    throw noYearOfReport(from);
  }
  return {
    year: years.find(({ start_date, end_date }) => start_date <= from && to <= end_date) ?? null,
    from,
    to,
  };
}

/** The days of a report that stays within one year. Errors: those of `periodOf`, `across_fiscal_years`. */
export function periodInYear(
  years: readonly ReportYear[],
  asked: AskedDays,
  today: string,
): Period & { year: ReportYear } {
  const { year, from, to } = periodOf(years, asked, today);
  if (year) return { year, from, to };
  const message = {
    en: `${from} to ${to} is not within one fiscal year`,
    ja: `${from}〜${to} は1つの会計年度に収まっていません`,
  };
  throw parameterFault('to', 'across_fiscal_years', message, 'across_fiscal_years');
}

/**
 * The day of a balance sheet, by default the end of the year that is asked for. Errors: `no_fiscal_year`,
 * `across_fiscal_years`, `unknown_reference`.
 */
export function dayInYear(
  years: readonly ReportYear[],
  { fiscal_year_id, as_of }: { fiscal_year_id?: string | undefined; as_of?: string | undefined },
  today: string,
): { year: ReportYear; as_of: string } {
  if (as_of === undefined) {
    const { year } = periodInYear(years, { fiscal_year_id }, today);
    return { year, as_of: year.end_date };
  }
  const year = years.find(({ start_date, end_date }) => start_date <= as_of && as_of <= end_date);
  if (!year) throw noYearOfReport(as_of, 'as_of');
  if (fiscal_year_id !== undefined && yearBy(years, fiscal_year_id).id !== year.id) {
    const message = {
      en: `${as_of} lies in another fiscal year than fiscal_year_id`,
      ja: `${as_of} は fiscal_year_id の会計年度に含まれません`,
    };
    throw parameterFault('as_of', 'across_fiscal_years', message, 'across_fiscal_years');
  }
  return { year, as_of };
}

/**
 * The same days a year earlier, within the fiscal year before; null where there is none, or they leave it. A whole year is
 * compared with the whole year before, however long that was, and the end of a month with the end of a month.
 */
export function previousPeriod(
  years: readonly ReportYear[],
  { year, from, to }: Period & { year: ReportYear },
): (Period & { year: ReportYear }) | null {
  const before = years.find(({ end_date }) => end_date === dayBefore(year.start_date));
  if (!before) return null;
  const first = from === year.start_date ? before.start_date : yearEarlier(from);
  const last = to === year.end_date ? before.end_date : yearEarlier(to);
  if (first < before.start_date || last > before.end_date || first > last) return null;
  return { year: before, from: first, to: last };
}

function yearEarlier(day: string): string {
  const date = Temporal.PlainDate.from(day);
  const earlier = date.subtract({ years: 1 });
  return (date.day === date.daysInMonth ? earlier.with({ day: earlier.daysInMonth }) : earlier).toString();
}

function currentYear(years: readonly ReportYear[], today: string): ReportYear {
  const year =
    years.find(({ start_date, end_date }) => start_date <= today && today <= end_date) ?? years.at(-1);
  if (!year) throw noYearOfReport(today, 'fiscal_year_id');
  return year;
}

function yearBy(years: readonly ReportYear[], fiscal_year_id: string): ReportYear {
  const year = years.find(({ id }) => id === fiscal_year_id);
  if (year) return year;
  throw parameterFault(
    'fiscal_year_id',
    'unknown_reference',
    {
      en: 'The fiscal year does not exist in this organization',
      ja: 'この会計年度はこの組織に存在しません',
    },
    'unknown_reference',
  );
}

function noYearOfReport(day: string, path = 'from'): Failure {
  const message = { en: `No fiscal year holds ${day}`, ja: `${day} を含む会計年度がありません` };
  return parameterFault(path, 'no_fiscal_year', message, 'no_fiscal_year');
}

function required(path: 'from' | 'to'): Failure {
  return parameterFault(path, 'required', {
    en: 'Send from and to together',
    ja: 'from と to は両方指定してください',
  });
}
