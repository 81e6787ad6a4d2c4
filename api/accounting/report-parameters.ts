import { z } from 'zod';
import { NONE, reportCalendar } from '../../shared/accounting/reports/asked.ts';
import {
  type AskedDays,
  parameterFault,
  periodInYear,
  periodOf,
  previousPeriod,
} from '../../shared/accounting/reports/period.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { day, id } from '../../shared/kernel/schema.ts';
import type { AskedReport } from '../../shared/platform/reports/report.ts';

/** The days of a report. */
export const days = {
  fiscal_year_id: id('fy')
    .describe('The year that holds today, else the last one, unless days are sent.')
    .optional(),
  from: day().describe('With `to`, in place of `fiscal_year_id`.').optional(),
  to: day()
    .meta({ examples: ['2026-12-31'] })
    .optional(),
};

export const closing_entries = z
  .enum(['include', 'exclude'])
  .describe('Whether closing entries of the days count; those of earlier years always do.')
  .optional();

/** A record, or `none`: what names none. */
export const company_id = z
  .union([id('comp'), z.literal(NONE)])
  .describe('`none`: lines that name no company. Companies that were merged into it count as it.')
  .optional();

export const department_id = z
  .string()
  .max(100)
  .describe('`none`: lines that name no department.')
  .meta({ examples: [NONE] })
  .optional();

export const compare = z.enum(['previous_year']).describe('Adds the same days a year earlier.').optional();
export const interval = z.enum(['month']).describe('A column for each month.').optional();

/** What the days and filters of a report are refused by. */
export const RAISES = ['no_fiscal_year', 'across_fiscal_years', 'unknown_reference'] as const;

/** The days of a report within one year, as it keeps them. */
export async function askedDays(reader: Reader, days: AskedDays, compare?: 'previous_year') {
  const { years, today } = await reportCalendar(reader);
  const period = periodInYear(years, days, today);
  const previous = compare ? previousPeriod(years, period) : null;
  return {
    fiscal_year_id: period.year.id,
    year_start: period.year.start_date,
    from: period.from,
    to: period.to,
    compare,
    previous_from: previous?.from,
    previous_to: previous?.to,
  };
}

/**
 * The days of a book, also across years. Revenue and expense are brought forward from the start of the year that holds
 * the first of them.
 */
export async function askedDaysOfBook(reader: Reader, days: AskedDays) {
  const { years, today } = await reportCalendar(reader);
  const { year, from, to } = periodOf(years, days, today);
  const first = years.find(({ start_date, end_date }) => start_date <= from && from <= end_date);
  return { fiscal_year_id: year?.id, year_start: first?.start_date ?? from, from, to };
}

/** What every report says first: what it was asked for. */
export function headOf<const Kind extends string>(kind: Kind, asked: AskedReport, from: string, to: string) {
  const { fiscal_year_id = null, ...rest } = asked;
  const filters = Object.entries(rest).filter(([name]) => !KEPT.has(name));
  return {
    object: 'accounting.report' as const,
    kind,
    fiscal_year_id,
    from,
    to,
    filters: Object.fromEntries(filters),
  };
}

/** What a report keeps beside its filters: the days that it was found to be about. */
const KEPT = new Set([
  'from',
  'to',
  'as_of',
  'year_start',
  'previous_from',
  'previous_to',
  'previous_start',
  'previous_as_of',
]);

/** One way of breaking a report down excludes the other. Errors: `validation_failed`. */
export function requireOneWay({
  group_by,
  interval,
}: {
  group_by?: string | undefined;
  interval?: string | undefined;
}) {
  if (group_by === undefined || interval === undefined) return;
  throw parameterFault('interval', 'not_allowed', {
    en: 'Send group_by or interval',
    ja: 'group_by と interval は同時に指定できません',
  });
}
