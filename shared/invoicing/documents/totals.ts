import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { TaxDisplayMode } from '../tax/breakdown.ts';
import { lineAmount } from '../tax/line-amount.ts';
import { taxRateOn } from '../tax/rates.ts';
import type { TaxRounding } from '../tax/rounding.ts';
import { type CountedLine, fitsDocument, type Totals, totalsOf } from '../tax/totals.ts';
import type { WithholdingMode } from '../tax/withholding.ts';
import type { DocumentLine } from './line.ts';

/** What decides how the lines of a document are taxed and added up. */
export type CountingRules = {
  tax_display_mode: TaxDisplayMode;
  tax_rounding: TaxRounding;
  withholding_mode: WithholdingMode;
  transaction_date: string | null;
  transaction_to: string | null;
};

/** What counts of a line. */
export type CountableLine = Pick<
  DocumentLine,
  'type' | 'quantity' | 'unit_price' | 'tax_category' | 'tax_rate' | 'withholding' | 'amount'
>;

/** Lines with their rates and amounts, and what they come to. */
export type Counted<Line extends CountableLine = DocumentLine> = { lines: Line[]; totals: Totals };

/**
 * The rates and amounts of a document's lines and its totals. The transaction date decides the rates, of a period its
 * last day. Errors: `validation_failed` with every fault: `tax_category_not_in_force` at
 * /line_items/n/tax_category, `out_of_range` at /line_items/n where an amount, and at /line_items where a sum has more
 * than twelve digits.
 */
export function computeTotals<Line extends CountableLine>(
  lines: readonly Line[],
  rules: CountingRules,
): Counted<Line> {
  const day = rules.transaction_to ?? rules.transaction_date!;
  const faults: FieldError[] = [];
  const counted = lines.map((line, index) => {
    const taxed = withRate(line, day);
    const at = `/line_items/${index}`;
    if (taxed.type === 'item' && taxed.tax_rate === null) {
      faults.push(notInForce(`${at}/tax_category`, line.tax_category!, day));
    }
    if (taxed.amount !== null && !fitsDocument(taxed.amount))
      faults.push(tooLarge(at, { en: 'The amount', ja: '金額' }));
    return taxed;
  });
  if (faults.length > 0) throw invalidAll(faults);
  const totals = totalsOf(countedLines(counted), countingRules(rules));
  requireFit(totals);
  return { lines: counted, totals };
}

/** Sees that the sums have twelve digits at most. Errors: `validation_failed` at /line_items. */
function requireFit({ tax_breakdown, total, amount_due }: Totals): void {
  const sums = [total, amount_due, ...tax_breakdown.map(({ gross }) => gross)];
  if (!sums.every(fitsDocument))
    throw invalidAll([
      tooLarge('/line_items', { en: 'The total, or that of a tax', ja: '合計金額または消費税額' }),
    ]);
}

/** The lines that count, as the arithmetic of taxes takes them. */
export function countedLines(lines: readonly CountableLine[]): CountedLine[] {
  return lines.flatMap(({ tax_category, tax_rate, amount, withholding }) =>
    tax_category === null || tax_rate === null || amount === null
      ? []
      : [{ tax_category, tax_rate, amount, withholding }],
  );
}

/** The rules of a document, as the arithmetic of taxes takes them. */
export function countingRules(rules: Omit<CountingRules, 'transaction_date' | 'transaction_to'>) {
  return {
    display_mode: rules.tax_display_mode,
    rounding: rules.tax_rounding,
    withholding_mode: rules.withholding_mode,
  };
}

function withRate<Line extends CountableLine>(line: Line, day: string): Line {
  const { type, tax_category, quantity, unit_price } = line;
  if (type === 'text' || tax_category === null || quantity === null || unit_price === null) return line;
  return { ...line, tax_rate: taxRateOn(tax_category, day), amount: lineAmount(quantity, unit_price) };
}

function notInForce(path: string, category: string, day: string): FieldError {
  const message = {
    en: `${category} was not in force on ${day}`,
    ja: `${category} は ${day} には適用されていません`,
  };
  return { in: 'body', path, code: 'tax_category_not_in_force', message };
}

function tooLarge(path: string, what: Text): FieldError {
  return {
    in: 'body',
    path,
    code: 'out_of_range',
    message: { en: `${what.en} would have more than 12 digits`, ja: `${what.ja}が12桁を超えます` },
  };
}
