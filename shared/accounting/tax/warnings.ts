import type { Text } from '../../kernel/language.ts';
import type { Sentence } from '../../kernel/sentences.ts';
import { isInForce, taxCategory } from './categories.ts';

/** What is odd about a line, though it is accepted. `path` is a JSON pointer into the entry. */
export type LineWarning = { path: string; code: 'tax_category_not_in_force'; message: Text };

/**
 * Says which lines of an entry have a category that is not in force on its date. That is no fault: an entry may be later
 * than its transaction.
 */
export function categoryWarnings(lines: readonly { tax_category: string }[], date: string): LineWarning[] {
  return lines.flatMap(({ tax_category }, index): LineWarning[] => {
    if (isInForce(taxCategory(tax_category), date)) return [];
    const message = notInForce(tax_category, date);
    return [{ path: `/lines/${index}/tax_category`, code: 'tax_category_not_in_force', message }];
  });
}

const notInForce = (tax_category: string, date: string) => ({
  en: `${tax_category} is not in force on ${date}`,
  ja: `${tax_category} は ${date} には適用されていません`,
});

/** What the warnings of entries say. */
export const lineWarnings: readonly Sentence[] = [notInForce];
