import type { FiscalYear } from '../years/record.ts';
import { type TaxCategory, taxCategory } from './categories.ts';

/** What a line says beside its account. One of `debit` and `credit` is 1 yen or more, the other 0. */
export type LineValues = {
  debit: number;
  credit: number;
  tax_category: string;
  company_id: string | null;
  department_id: string | null;
  description: string | null;
};

/** The line of a tax, with the place of the account map that it is booked on. */
export type TaxLine = LineValues & { place: 'input_tax' | 'output_tax' };

/** How the books of a fiscal year hold consumption tax. */
export type TaxRules = Pick<FiscalYear, 'tax_books' | 'tax_rounding'>;

/**
 * A line of a gross amount, split: the line without its tax, and the line of the tax, which has the same side, category,
 * company and department. The line as it is where there is nothing to split off: the books hold amounts with tax, the
 * tax is 0, or it would be the whole amount and leave a line without one.
 */
export function splitTax<Line extends LineValues>(line: Line, rules: TaxRules): [Line, ...TaxLine[]] {
  if (rules.tax_books === 'inclusive') return [line];
  const { debit, credit, tax_category, company_id, department_id } = line;
  const category = taxCategory(tax_category);
  const gross = debit + credit;
  const tax = taxWithin(gross, category, rules.tax_rounding);
  if (tax === 0 || tax === gross) return [line];
  const onSide = (amount: number) =>
    debit > 0 ? { debit: amount, credit: 0 } : { debit: 0, credit: amount };
  const tax_line: TaxLine = {
    place: category.side === 'sales' ? 'output_tax' : 'input_tax',
    ...onSide(tax),
    tax_category,
    company_id,
    department_id,
    description: null,
  };
  return [{ ...line, ...onSide(gross - tax) }, tax_line];
}

/**
 * The deductible share of the tax within a gross amount, rounded once. Input tax is never rounded up: the law cuts or
 * rounds half up the tax of purchases that is taken from the books (Consumption Tax Act Enforcement Order, article 46(3)).
 */
function taxWithin(
  gross: number,
  { side, rate, deductible_percent }: TaxCategory,
  rounding: TaxRules['tax_rounding'],
): number {
  const numerator = BigInt(gross) * BigInt(rate) * BigInt(deductible_percent);
  const denominator = 100n * (100n + BigInt(rate));
  const permitted = side === 'purchase' && rounding === 'ceil' ? 'floor' : rounding;
  const addend = { floor: 0n, round: denominator / 2n, ceil: denominator - 1n }[permitted];
  return Number((numerator + addend) / denominator);
}
