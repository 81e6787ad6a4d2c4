import type { Reader } from '../../kernel/reader.ts';
import { receivedContext } from '../context.ts';
import type { InputTaxContext } from './input-tax.ts';
import { taxRules } from './rules.ts';

/** The first and the last day of a year. */
export type Span = { from: string; to: string };

/** What input tax and its warnings follow from in an organization. */
export type TaxContext = InputTaxContext & {
  /** The fiscal year that holds a day, else the calendar year. */
  yearOf: (day: string) => Span;
};

/** The law, the fiscal years and the settings as they are now. */
export async function taxContextOf(reader: Reader): Promise<TaxContext> {
  const [rules, { years, settings }] = await Promise.all([taxRules(reader), receivedContext(reader)]);
  const fiscalYear = (day: string) =>
    years.find(({ start_date, end_date }) => start_date <= day && day <= end_date) ?? null;
  return {
    rules,
    small_amount_rule: settings.small_amount_rule,
    roundingOn: (day) => fiscalYear(day)?.tax_rounding ?? null,
    yearOf: (day) => {
      const year = fiscalYear(day);
      if (year) return { from: year.start_date, to: year.end_date };
      return { from: `${day.slice(0, 4)}-01-01`, to: `${day.slice(0, 4)}-12-31` };
    },
  };
}
