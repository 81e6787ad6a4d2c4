import { creditWithin } from '../../shared/invoicing/credit-notes/bounds.ts';
import { type Composed, composeCredit } from '../../shared/invoicing/credit-notes/compose.ts';
import type { PlacedLine } from '../../shared/invoicing/credit-notes/open-lines.ts';
import type { CreditLineInput } from '../../shared/invoicing/credit-notes/record.ts';
import { countedLines } from '../../shared/invoicing/documents/totals.ts';
import { lineAmount } from '../../shared/invoicing/tax/line-amount.ts';
import { taxRateOn } from '../../shared/invoicing/tax/rates.ts';
import type { DocumentRules, Totals } from '../../shared/invoicing/tax/totals.ts';

const DAY = '2026-04-01';

/** Rounding down, prices without tax, nothing withheld. */
export const RULES: DocumentRules = {
  display_mode: 'exclusive',
  rounding: 'floor',
  withholding_mode: 'none',
};

const EMPTY = { item_code: null, unit: null, source_line_id: null, source_document_id: null };

/** A line of an invoice; its rate and amount follow from it. */
export function item(fields: Partial<PlacedLine> & { id: string }): PlacedLine {
  const { quantity = '1', unit_price = '0', tax_category = 'standard' } = fields;
  return {
    ...EMPTY,
    type: 'item',
    description: '品',
    quantity,
    unit_price,
    tax_category,
    withholding: false,
    tax_rate: taxRateOn(tax_category!, DAY)!,
    amount: lineAmount(quantity!, unit_price!),
    document_id: 'inv',
    ...fields,
  };
}

/** The notes of an invoice so far, and how the next one comes out. */
export function ledger(invoice: readonly PlacedLine[], rules: DocumentRules) {
  const credited: PlacedLine[] = [];
  const given: Totals[] = [];
  return {
    credited,
    given,
    credit(asked: CreditLineInput[] | null): Composed & { refusal: string | null } {
      const composed = composeCredit(invoice, credited, asked);
      if (composed.faults.length > 0 || composed.lines.length === 0) return { ...composed, refusal: null };
      const within = creditWithin(
        countedLines(invoice),
        countedLines(credited),
        countedLines(composed.lines),
        rules,
      );
      if ('refusal' in within) return { ...composed, refusal: within.refusal.en };
      const note = `cn${given.length}`;
      credited.push(
        ...composed.lines.map((line, place) => ({ ...line, id: `${note}-${place}`, document_id: note })),
      );
      given.push(within.totals);
      return { ...composed, refusal: null };
    },
  };
}

/** What a field comes to over all notes. */
export const sumOf = (
  given: readonly Totals[],
  field: 'subtotal' | 'tax' | 'total' | 'withholding_tax' | 'amount_due',
) => given.reduce((sum, totals) => sum + totals[field], 0n);
