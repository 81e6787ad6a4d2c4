import type { Text } from '../../kernel/language.ts';
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
): { totals: Totals } | { refusal: Text } {
  const after = [...earlier, ...lines];
  for (const group of groupsOf([...invoice, ...after])) {
    const [taken, whole] = [sumOf(after, group), sumOf(invoice, group)];
    if (!isWithin(taken, whole)) {
      const { tax_category, withholding } = group;
      return {
        refusal: {
          en: `${taken} yen of ${tax_category}${withholding ? ' with withholding' : ''} would be credited, and ${whole} yen were invoiced`,
          ja: `${tax_category}${withholding ? '（源泉徴収あり）' : ''}の返還額が${taken}円となり、請求額の${whole}円を超えます`,
        },
      };
    }
  }
  const [taken, whole] = [totalsOf(after, rules).total, totalsOf(invoice, rules).total];
  if (!isWithin(taken, whole)) {
    return {
      refusal: {
        en: `${taken} yen would be credited in total, and ${whole} yen were invoiced`,
        ja: `返還額の合計が${taken}円となり、請求額の${whole}円を超えます`,
      },
    };
  }
  const totals = creditTotals(earlier, lines, rules);
  if (!isWithin(totals.total, whole)) {
    return {
      refusal: {
        en: `The credit note comes to ${totals.total} yen, which is no reduction`,
        ja: `返還請求書の合計が${totals.total}円となり、減額になりません`,
      },
    };
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
