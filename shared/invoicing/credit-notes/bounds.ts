import type { TaxCategory } from '../tax/rates.ts';
import { type CountedLine, creditTotals, type DocumentRules, type Totals, totalsOf } from '../tax/totals.ts';

/**
 * What a note comes to, by the rules of its invoice; or why it cannot be: all notes together may not come to more
 * than the invoice in any category, among the lines with and those without withholding, nor in total; and none may
 * raise what is owed. A discount may thus be credited only beside what it was given for.
 */
export function creditWithin(
  invoice: readonly CountedLine[],
  earlier: readonly CountedLine[],
  lines: readonly CountedLine[],
  rules: DocumentRules,
): { totals: Totals } | { refusal: string } {
  const after = [...earlier, ...lines];
  for (const group of groupsOf([...invoice, ...after])) {
    const [taken, whole] = [sumOf(after, group), sumOf(invoice, group)];
    if (!isWithin(taken, whole)) {
      const which = `${group.tax_category}${group.withholding ? ' with withholding' : ''}`;
      return { refusal: `${taken} yen of ${which} would be credited, and ${whole} yen were invoiced` };
    }
  }
  const [taken, whole] = [totalsOf(after, rules).total, totalsOf(invoice, rules).total];
  if (!isWithin(taken, whole)) {
    return { refusal: `${taken} yen would be credited in total, and ${whole} yen were invoiced` };
  }
  const totals = creditTotals(earlier, lines, rules);
  if (!isWithin(totals.total, whole)) {
    return { refusal: `The credit note comes to ${totals.total} yen, which is no reduction` };
  }
  return { totals };
}

type Group = { tax_category: TaxCategory; withholding: boolean };

function groupsOf(lines: readonly CountedLine[]): Group[] {
  const groups = new Map(
    lines.map(({ tax_category, withholding }) => [
      `${tax_category} ${withholding}`,
      { tax_category, withholding },
    ]),
  );
  return [...groups.values()];
}

function sumOf(lines: readonly CountedLine[], { tax_category, withholding }: Group): bigint {
  return lines
    .filter((line) => line.tax_category === tax_category && line.withholding === withholding)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** Between 0 and the whole, on its side. */
function isWithin(part: bigint, whole: bigint): boolean {
  return whole >= 0n ? part >= 0n && part <= whole : part <= 0n && part >= whole;
}
