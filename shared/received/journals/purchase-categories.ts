import type { TaxedRate } from '../../accounting/sources/sales-categories.ts';

/** What a purchase is used for: sales that are taxed, that are exempt, or both (個別対応方式). */
export type Purpose = 'taxable' | 'common' | 'exempt';

/** What a row of input tax is, as far as its category in the books depends on it; `share` is the deductible percent. */
export type PurchasedAs = TaxedRate & { share: number };

/** Categories by what a purchase is for; tax at 8 % that is no reduced rate has those for taxed sales alone. */
const FAMILIES: Readonly<Record<Purpose, string>> = { taxable: 'P', common: 'PC', exempt: 'PN' };

/**
 * The tax category of a purchase: P10, P8R, P8 and those of its purpose, with their Tn where less than all of the tax is
 * deductible. Nothing is split off what is exempt (PE), not taxed, or without a share (O). null for the rates before 2014,
 * which the books have no categories for.
 */
export function purchaseCategory(
  { tax_category, tax_rate, share }: PurchasedAs,
  purpose: Purpose,
): string | null {
  if (tax_category === 'exempt') return 'PE';
  if (tax_category === 'zero_rated' || tax_category === 'out_of_scope' || share === 0) return 'O';
  const rate = rateCode({ tax_category, tax_rate });
  if (rate === null) return null;
  const family = rate === '8' ? FAMILIES.taxable : FAMILIES[purpose];
  return `${family}${rate}${share < 100 ? `T${share}` : ''}`;
}

function rateCode({ tax_category, tax_rate }: TaxedRate): '10' | '8R' | '8' | null {
  if (tax_rate === 10) return '10';
  if (tax_rate !== 8) return null;
  return tax_category === 'reduced' ? '8R' : '8';
}
