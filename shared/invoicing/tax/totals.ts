import { type CategoryTax, type TaxedLine, type TaxRules, taxBreakdown } from './breakdown.ts';
import { type WithholdingMode, withholdingTax } from './withholding.ts';

export type CountedLine = TaxedLine & { withholding: boolean };

export type DocumentRules = TaxRules & { withholding_mode: WithholdingMode };

/** What a document comes to, in yen: `subtotal + tax = total`, `total - withholding_tax = amount_due`. */
export type Totals = {
  subtotal: bigint;
  tax: bigint;
  total: bigint;
  withholding_tax: bigint;
  amount_due: bigint;
  tax_breakdown: CategoryTax[];
};

/** The totals of a document from its lines. */
export function totalsOf(lines: readonly CountedLine[], rules: DocumentRules): Totals {
  const withheld = lines.filter((line) => line.withholding);
  return summed(taxBreakdown(lines, rules), withholdingTax(withheld, rules.withholding_mode, rules));
}

/**
 * The totals of a credit note: those of all that is credited with it, less what the earlier notes took. So notes for
 * parts add up to the note for the whole, to the yen, in every category. `before` and `lines` are in the invoice's
 * own sense, with positive amounts for what is taken back.
 */
export function creditTotals(
  before: readonly CountedLine[],
  lines: readonly CountedLine[],
  rules: DocumentRules,
): Totals {
  const earlier = totalsOf(before, rules);
  const whole = totalsOf([...before, ...lines], rules);
  const breakdown = whole.tax_breakdown.flatMap((group): CategoryTax[] => {
    const taken = earlier.tax_breakdown.find(({ tax_category }) => tax_category === group.tax_category);
    if (!lines.some(({ tax_category }) => tax_category === group.tax_category)) return [];
    if (!taken) return [group];
    const less = { net: group.net - taken.net, tax: group.tax - taken.tax, gross: group.gross - taken.gross };
    return [{ ...group, ...less }];
  });
  return summed(breakdown, whole.withholding_tax - earlier.withholding_tax);
}

/** Yen that a line, a category or a document may have in either direction: twelve digits. */
const MOST = 999_999_999_999n;

/** Whether an amount has twelve digits at most. */
export function fitsDocument(amount: bigint): boolean {
  return -MOST <= amount && amount <= MOST;
}

function summed(tax_breakdown: CategoryTax[], withholding_tax: bigint): Totals {
  const sum = (field: 'net' | 'tax' | 'gross') =>
    tax_breakdown.reduce((total, group) => total + group[field], 0n);
  const total = sum('gross');
  return {
    subtotal: sum('net'),
    tax: sum('tax'),
    total,
    withholding_tax,
    amount_due: total - withholding_tax,
    tax_breakdown,
  };
}
