import type { TaxDisplayMode } from '../../invoicing/tax/breakdown.ts';
import type { TaxCategory } from '../../invoicing/tax/rates.ts';
import type { TaxRounding } from '../../invoicing/tax/rounding.ts';
import type { WithholdingMode } from '../../invoicing/tax/withholding.ts';
import type { Text } from '../../kernel/language.ts';
import type { StatedRow } from '../documents/fields.ts';

/** What counts of a line; decimals as text, `amount` in yen, `tax_rate` in percent, both found anew. */
export type CountableLine = {
  type: 'item' | 'text';
  quantity: string | null;
  unit_price: string | null;
  tax_category: TaxCategory | null;
  tax_rate: number | null;
  withholding: boolean;
  amount: number | null;
};

/** What the sums of a received document follow from, in the sender's modes. */
export type AmountsInput<Line extends CountableLine = CountableLine> = {
  lines: readonly Line[];
  tax_display_mode: TaxDisplayMode;
  tax_rounding: TaxRounding;
  withholding_mode: WithholdingMode;
  /** The day of what has no date of its own: `transactionDay`. */
  day: string;
  stated_breakdown: readonly StatedRow[] | null;
  stated_total: number | null;
  stated_withholding: number | null;
  /** The tax of a document that is not qualified is not checked. */
  qualified: boolean;
};

/** What belongs to one category and date, in yen; `net + tax = gross`. Input tax is found for each of them. */
export type TaxRow = {
  tax_category: TaxCategory;
  tax_rate: number;
  transaction_date: string;
  /** Whether the paper dates it; else its date is that of the document. */
  is_dated: boolean;
  net: bigint;
  tax: bigint;
  gross: bigint;
};

/** What is odd about a document that is accepted all the same; `path` is a JSON pointer into it. */
export type ReceivedWarning = { path: string; code: string; message: Text };

type Dated = {
  transaction_date: string | null;
  transaction_to: string | null;
  issue_date: string | null;
  received_on: string;
};

/**
 * The day that decides rates and shares: the transaction date, of a period its last day, else the date of issue; a
 * document without any date counts from the day on which it came.
 */
export function transactionDay({ transaction_date, transaction_to, issue_date, received_on }: Dated): string {
  return transaction_to ?? transaction_date ?? issue_date ?? received_on;
}
