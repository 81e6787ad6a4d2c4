import assert from 'node:assert/strict';
import type { TaxCategory } from '../../shared/invoicing/tax/rates.ts';
import { type Amounts, amountsOf } from '../../shared/received/amounts/amounts.ts';
import type { AmountsInput, CountableLine } from '../../shared/received/amounts/record.ts';
import type { StatedRow } from '../../shared/received/documents/fields.ts';

/** A line of one unit at a price in yen. */
export const line = (
  unit_price: number,
  tax_category: TaxCategory = 'standard',
  { quantity = '1', withholding = false } = {},
): CountableLine => ({
  type: 'item',
  quantity,
  unit_price: String(unit_price),
  tax_category,
  tax_rate: null,
  withholding,
  amount: null,
});

type Printed = Partial<StatedRow>;

const row = (printed: Printed): StatedRow => ({
  tax_category: 'standard',
  net: null,
  tax: null,
  gross: null,
  transaction_date: null,
  ...printed,
});

/** What differs from an empty qualified document of 2026-11-02 in prices without tax. */
export type Given = Partial<Omit<AmountsInput, 'stated_breakdown'>> & { rows?: Printed[] };

/** What it comes to, or its faults. */
export function found({ rows, ...given }: Given) {
  return amountsOf({
    lines: [],
    tax_display_mode: 'exclusive',
    tax_rounding: 'floor',
    withholding_mode: 'none',
    day: '2026-11-02',
    stated_breakdown: rows ? rows.map(row) : null,
    stated_total: null,
    stated_withholding: null,
    qualified: true,
    ...given,
  });
}

/** What it comes to; it has no faults. */
export function accepted(given: Given): Amounts {
  const amounts = found(given);
  assert.ok(!('faults' in amounts), 'faults' in amounts ? JSON.stringify(amounts.faults) : '');
  return amounts;
}

/** The paths and codes of its faults. */
export function refused(given: Given): [path: string, code: string][] {
  const amounts = found(given);
  assert.ok('faults' in amounts, 'it was accepted');
  return amounts.faults.map(({ path, code }) => [path, code]);
}
