import type { CountedLine } from '../../invoicing/tax/totals.ts';
import type { FieldError } from '../../kernel/failure.ts';
import type { TaxDifference } from '../documents/fields.ts';
import type { AmountsInput } from './record.ts';
import { type CountedRow, fault } from './stated.ts';

/** Yen that a printed tax may be off where no line says how often it was rounded. */
const WITHOUT_LINES = 50;

/**
 * Where the printed tax of a category is not the computed one. A sender who rounds each line is off by a yen a line at
 * most, over all dates of the category; untaxed ones have nothing to round. Faults: `tax_mismatch` beyond that, if the
 * document is qualified.
 */
export function taxDifferences(
  printed: readonly CountedRow[],
  counting: readonly CountedLine[],
  { qualified }: AmountsInput,
): { differences: TaxDifference[]; faults: FieldError[] } {
  const differences: TaxDifference[] = [];
  const faults: FieldError[] = [];
  for (const [tax_category, rows] of Map.groupBy(printed, ({ tax_category: category }) => category)) {
    let [stated, computed, off] = [0n, 0n, 0n];
    for (const { tax, computed_tax } of rows) {
      if (computed_tax === null) continue;
      stated += tax;
      computed += computed_tax;
      off += tax > computed_tax ? tax - computed_tax : computed_tax - tax;
    }
    if (stated !== computed) {
      differences.push({ tax_category, stated: Number(stated), computed: Number(computed) });
    }
    const lines = counting.filter((line) => line.tax_category === tax_category).length;
    const isTaxed = rows.some(({ tax_rate }) => tax_rate > 0);
    const bound = isTaxed ? lines || WITHOUT_LINES : 0;
    if (qualified && off > BigInt(bound)) {
      const message = {
        en: `The tax of ${tax_category} is ${stated}, and ${computed} by its rate: more than ${bound} yen apart`,
        ja: `${tax_category} の消費税額 ${stated} 円は、税率による計算額 ${computed} 円と ${bound} 円を超えて異なります`,
      };
      faults.push(fault(`/stated_breakdown/${rows[0]!.index}`, 'tax_mismatch', message));
    }
  }
  return { differences, faults };
}
