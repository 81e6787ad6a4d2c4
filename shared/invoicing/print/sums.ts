import type { Totals } from '../tax/totals.ts';
import { yen } from './formats.ts';
import type { PrintLocale, PrintSums } from './model.ts';
import type { Words } from './words.ts';

/** The sums below the table: what the lines come to, the tax by category, and what is withheld of it. */
export function printSums(totals: Totals, said: Words, locale: PrintLocale): PrintSums {
  const { withholding_tax } = totals;
  const row = (label: string, amount: bigint, strong = false) => ({
    label,
    value: yen(amount, locale),
    strong,
  });
  const withheld = [
    row(said.withholding, -withholding_tax),
    row(said.after_withholding, totals.amount_due, true),
  ];
  return {
    rows: [
      row(said.subtotal, totals.subtotal),
      row(said.tax, totals.tax),
      row(said.total, totals.total, withholding_tax === 0n),
      ...(withholding_tax === 0n ? [] : withheld),
    ],
    breakdown_title: said.breakdown_title,
    breakdown_heads: said.breakdown_heads,
    breakdown: totals.tax_breakdown.map(({ tax_category, tax_rate, net, tax, gross }) => ({
      label: said.rate_total(tax_category, tax_rate),
      net: yen(net, locale),
      tax: yen(tax, locale),
      gross: yen(gross, locale),
    })),
  };
}
