import type { z } from 'zod';
import type { ShownTotals } from '../../invoicing/documents/fields.ts';
import {
  type CountableLine as CountableLineOfOurs,
  computeTotals,
  countedLines,
} from '../../invoicing/documents/totals.ts';
import type { CategoryTax } from '../../invoicing/tax/breakdown.ts';
import { taxCategories } from '../../invoicing/tax/rates.ts';
import { type CountedLine, fitsDocument } from '../../invoicing/tax/totals.ts';
import { Failure, type FieldError } from '../../kernel/failure.ts';
import type { TaxDifference } from '../documents/fields.ts';
import { withholdingDiffers } from '../warnings.ts';
import type { AmountsInput, CountableLine, ReceivedWarning, TaxRow } from './record.ts';
import { type CountedRow, fault, statedRows } from './stated.ts';
import { taxDifferences } from './tax-differences.ts';

/** Sums in yen as the API shows them: `subtotal + tax = total`, `total - withholding_tax = amount_due`. */
export type ReceivedTotals = z.output<typeof ShownTotals>;

export type Amounts<Line extends CountableLine = CountableLine> = {
  /** The lines with their rates and amounts. */
  lines: Line[];
  /** Printed rows in their order, then what the lines alone give. */
  rows: TaxRow[];
  totals: ReceivedTotals;
  tax_differences: TaxDifference[];
  warnings: ReceivedWarning[];
};

/**
 * What a received document comes to: the printed sums count, and the lines where nothing is printed of their category.
 * Faults, all of them: those of lines (`tax_category_not_in_force`, `out_of_range`) and of rows (stated.ts),
 * `amount_mismatch` where rows are not the sum of their category's lines, `tax_mismatch` where a tax is further off than
 * the rounding of each line explains, `total_mismatch`, and `out_of_range` for a withholding above the total.
 */
export function amountsOf<Line extends CountableLine>(
  input: AmountsInput<Line>,
): Amounts<Line> | { faults: FieldError[] } {
  const counted = countedBy(input);
  if ('faults' in counted) return counted;
  const { rows: printed, faults } = statedRows(input);
  if (faults.length > 0) return { faults };
  const rows = [...printed.map(rowOf), ...rowsOfLines(counted.breakdown, printed, input.day)];
  const differences = taxDifferences(printed, counted.counting, input);
  const withholding = withheld(counted, input);
  const totals = summed(rows, withholding);
  const wrong = [
    ...sumFaults(printed, counted.counting, input),
    ...differences.faults,
    ...totalFaults(totals, withholding, input),
  ];
  if (wrong.length > 0) return { faults: wrong };
  return {
    lines: counted.lines,
    rows,
    totals: shown(totals),
    tax_differences: differences.differences,
    warnings: withholdingWarnings(withholding),
  };
}

type Counted<Line> = {
  lines: Line[];
  counting: CountedLine[];
  breakdown: CategoryTax[];
  withholding_tax: bigint;
};

/** The lines with rates and amounts, counted as those of a document of our own. */
function countedBy<Line extends CountableLine>(
  input: AmountsInput<Line>,
): Counted<Line> | { faults: FieldError[] } {
  const { lines, day, tax_display_mode, tax_rounding, withholding_mode } = input;
  const uncounted = lines.map((line): CountableLineOfOurs => ({ ...line, amount: null }));
  try {
    const rules = { tax_display_mode, tax_rounding, withholding_mode };
    const counted = computeTotals(uncounted, { ...rules, transaction_date: day, transaction_to: null });
    const { tax_breakdown, withholding_tax } = counted.totals;
    return {
      lines: lines.map((line, index) => {
        const { tax_rate, amount } = counted.lines[index]!;
        return { ...line, tax_rate, amount: amount === null ? null : Number(amount) };
      }),
      counting: countedLines(counted.lines),
      breakdown: tax_breakdown,
      withholding_tax,
    };
  } catch (error) {
    if (error instanceof Failure && error.details.errors) return { faults: error.details.errors };
    throw error;
  }
}

function rowOf({ index, computed_tax, ...row }: CountedRow): TaxRow {
  return row;
}

/** What lines give of the categories of which nothing is printed. */
function rowsOfLines(breakdown: readonly CategoryTax[], printed: readonly TaxRow[], day: string): TaxRow[] {
  return breakdown
    .filter(({ tax_category }) => printed.every((row) => row.tax_category !== tax_category))
    .map((sums) => ({ ...sums, transaction_date: day, is_dated: false }));
}

/** The rows of a category are the sum of its lines, if it has any: of their nets, or with tax of their grosses. */
function sumFaults(
  printed: readonly CountedRow[],
  counting: readonly CountedLine[],
  { tax_display_mode }: AmountsInput,
): FieldError[] {
  const field = tax_display_mode === 'exclusive' ? 'net' : 'gross';
  return [...Map.groupBy(printed, ({ tax_category }) => tax_category)].flatMap(([category, rows]) => {
    const own = counting.filter(({ tax_category }) => tax_category === category);
    if (own.length === 0) return [];
    const ofLines = own.reduce((total, { amount }) => total + amount, 0n);
    const ofRows = rows.reduce((total, row) => total + row[field], 0n);
    if (ofLines === ofRows) return [];
    return fault(`/stated_breakdown/${rows[0]!.index}`, 'amount_mismatch', {
      en: `The ${field} of ${category} is ${ofRows}, and that of its lines ${ofLines}`,
      ja: `${category} の ${field} は ${ofRows} 円ですが、明細の合計は ${ofLines} 円です`,
    });
  });
}

type Withholding = {
  /** What counts, in yen. */
  amount: bigint;
  stated: bigint | null;
  /** Null where nothing says how much it should be. */
  computed: bigint | null;
};

function withheld(
  { withholding_tax, counting }: Counted<unknown>,
  { withholding_mode, stated_withholding }: AmountsInput,
): Withholding {
  const stated = stated_withholding === null ? null : BigInt(stated_withholding);
  const computed = withholding_mode === 'none' || counting.length === 0 ? null : withholding_tax;
  return { amount: stated ?? withholding_tax, stated, computed };
}

function withholdingWarnings({ stated, computed }: Withholding): ReceivedWarning[] {
  if (stated === null || computed === null || stated === computed) return [];
  const message = withholdingDiffers(stated, computed);
  return [{ path: '/stated_withholding', code: 'withholding_differs', message }];
}

type Sums = Record<'subtotal' | 'tax' | 'total' | 'withholding_tax', bigint> & {
  tax_breakdown: CategoryTax[];
};

/** The sums of rows, in the order of the categories; one of a category that had two rates has a sum for each. */
function summed(rows: readonly TaxRow[], { amount }: Withholding): Sums {
  const sum = (of: readonly TaxRow[], field: 'net' | 'tax' | 'gross') =>
    of.reduce((total, row) => total + row[field], 0n);
  const tax_breakdown = taxCategories.flatMap((tax_category): CategoryTax[] => {
    const own = rows.filter((row) => row.tax_category === tax_category);
    return [...Map.groupBy(own, ({ tax_rate }) => tax_rate)].map(([tax_rate, same]) => {
      const [net, tax, gross] = [sum(same, 'net'), sum(same, 'tax'), sum(same, 'gross')];
      return { tax_category, tax_rate, net, tax, gross };
    });
  });
  return {
    subtotal: sum(rows, 'net'),
    tax: sum(rows, 'tax'),
    total: sum(rows, 'gross'),
    withholding_tax: amount,
    tax_breakdown,
  };
}

function totalFaults(
  { subtotal, total, tax_breakdown }: Sums,
  { amount, stated }: Withholding,
  { stated_total, stated_breakdown }: AmountsInput,
): FieldError[] {
  const at = (stated_breakdown ?? []).length > 0 ? '/stated_breakdown' : '/line_items';
  const faults: FieldError[] = [];
  const sums = [subtotal, total, total - amount, ...tax_breakdown.flatMap(({ net, gross }) => [net, gross])];
  if (!sums.every(fitsDocument)) {
    const message = { en: 'The sums come to more than 12 digits', ja: '合計が12桁を超えます' };
    faults.push(fault(at, 'out_of_range', message));
  }
  if (stated_total !== null && BigInt(stated_total) !== total) {
    const message = {
      en: `stated_total is ${stated_total}, and the sums come to ${total}`,
      ja: `stated_total は ${stated_total} 円ですが、内訳の合計は ${total} 円です`,
    };
    faults.push(fault('/stated_total', 'total_mismatch', message));
  }
  if (amount > 0n && amount > total) {
    const path = stated === null ? at : '/stated_withholding';
    const message = {
      en: `The withheld tax of ${amount} is above the total of ${total}`,
      ja: `源泉徴収税額 ${amount} 円が合計 ${total} 円を超えています`,
    };
    faults.push(fault(path, 'out_of_range', message));
  }
  return faults;
}

function shown({ subtotal, tax, total, withholding_tax, tax_breakdown }: Sums): ReceivedTotals {
  return {
    subtotal: Number(subtotal),
    tax: Number(tax),
    total: Number(total),
    withholding_tax: Number(withholding_tax),
    amount_due: Number(total - withholding_tax),
    tax_breakdown: tax_breakdown.map(({ tax_category, tax_rate, net, tax, gross }) => ({
      tax_category,
      tax_rate,
      net: Number(net),
      tax: Number(tax),
      gross: Number(gross),
    })),
  };
}
