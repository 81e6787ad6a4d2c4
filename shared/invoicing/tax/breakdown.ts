import { type TaxCategory, taxCategories } from './rates.ts';
import { divided, type TaxRounding } from './rounding.ts';

export const taxDisplayModes = ['exclusive', 'inclusive'] as const;

export type TaxDisplayMode = (typeof taxDisplayModes)[number];

/** What the tax of a line follows from. `tax_rate` is in percent, `amount` in yen, in the document's display mode. */
export type TaxedLine = { tax_category: TaxCategory; tax_rate: number; amount: bigint };

/** The sums of one category; `net + tax = gross`, in yen. */
export type CategoryTax = {
  tax_category: TaxCategory;
  tax_rate: number;
  net: bigint;
  tax: bigint;
  gross: bigint;
};

export type TaxRules = { display_mode: TaxDisplayMode; rounding: TaxRounding };

/**
 * The tax of a document by category, in the order of the categories: rounded once for each category and document,
 * never a line (Consumption Tax Act Enforcement Order, article 70-10: one rounding per qualified invoice and rate).
 * Categories without lines are left out.
 */
export function taxBreakdown(lines: readonly TaxedLine[], rules: TaxRules): CategoryTax[] {
  return taxCategories.flatMap((tax_category) => {
    const own = lines.filter((line) => line.tax_category === tax_category);
    const [first] = own;
    if (!first) return [];
    const { tax_rate } = first;
    if (own.some((line) => line.tax_rate !== tax_rate)) {
      throw new Error(`The lines of ${tax_category} have different rates, though one day decides them all`);
    }
    const amount = own.reduce((total, line) => total + line.amount, 0n);
    return [{ tax_category, tax_rate, ...categoryTax(amount, tax_rate, rules) }];
  });
}

/** The tax in, or on top of, the sum of a category: net, tax and gross in yen. */
export function categoryTax(amount: bigint, tax_rate: number, { display_mode, rounding }: TaxRules) {
  const rate = BigInt(tax_rate);
  if (display_mode === 'inclusive') {
    const tax = divided(amount * rate, 100n + rate, rounding);
    return { net: amount - tax, tax, gross: amount };
  }
  const tax = divided(amount * rate, 100n, rounding);
  return { net: amount, tax, gross: amount + tax };
}
