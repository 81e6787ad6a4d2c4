/** Which of the two accounts of consumption tax the tax of a category stands on, if any. */
export type TaxSide = 'sales' | 'purchase' | 'none';

/** What a line is to the consumption tax return. `rate` and `deductible_percent` are in percent; days are YYYY-MM-DD. */
export type TaxCategory = {
  code: string;
  name: string;
  name_en: string;
  side: TaxSide;
  rate: number;
  /** The share of the tax that is split off: below 100 for sellers without a registration number alone. */
  deductible_percent: number;
  /** The first day; null is since ever. */
  valid_from: string | null;
  /** The last day; null is without end. */
  valid_to: string | null;
};

type Span = { from: string; to: string | null };

type Rate = Span & { code: string; percent: number; ja: string; en: string };

/** National and local rates together (Consumption Tax Act, article 29, and the amendments of 2014 and 2019). */
const standard: Rate = { code: '10', percent: 10, ja: '10%', en: '10%', from: '2019-10-01', to: null };
const reduced: Rate = {
  code: '8R',
  percent: 8,
  ja: '8%（軽）',
  en: '8% (reduced)',
  from: '2019-10-01',
  to: null,
};
const legacy: Rate = { code: '8', percent: 8, ja: '8%', en: '8%', from: '2014-04-01', to: '2019-09-30' };

/**
 * The shares of the tax that are deductible where the seller has no registration number (Act no. 15 of 2016,
 * supplementary provisions, articles 52 and 53, as amended in 2026).
 */
const shares: readonly (Span & { percent: number })[] = [
  { percent: 80, from: '2023-10-01', to: '2026-09-30' },
  { percent: 70, from: '2026-10-01', to: '2028-09-30' },
  { percent: 50, from: '2028-10-01', to: '2030-09-30' },
  { percent: 30, from: '2030-10-01', to: '2031-09-30' },
];

type Family = { code: string; side: TaxSide; ja: string; en: string; rates: readonly Rate[] };

const everyRate = [standard, reduced, legacy];
const presentRates = [standard, reduced];

const sales: Family = { code: 'S', side: 'sales', ja: '課税売上', en: 'Taxable sales', rates: everyRate };
const salesReturns: Family = {
  code: 'SR',
  side: 'sales',
  ja: '課税売返',
  en: 'Returns of taxable sales',
  rates: everyRate,
};
const badDebts: Family = {
  code: 'SB',
  side: 'sales',
  ja: '課税売倒',
  en: 'Bad debts of taxable sales',
  rates: everyRate,
};
const purchases: Family = {
  code: 'P',
  side: 'purchase',
  ja: '課対仕入',
  en: 'Taxable purchases',
  rates: everyRate,
};
const purchaseReturns: Family = {
  code: 'PR',
  side: 'purchase',
  ja: '課対仕返',
  en: 'Returns of taxable purchases',
  rates: everyRate,
};
const commonPurchases: Family = {
  code: 'PC',
  side: 'purchase',
  ja: '共対仕入',
  en: 'Purchases for taxable and exempt sales',
  rates: presentRates,
};
const purchasesForExempt: Family = {
  code: 'PN',
  side: 'purchase',
  ja: '非対仕入',
  en: 'Purchases for exempt sales',
  rates: presentRates,
};

/** What is bought from sellers without a registration number; returns to them have the present rates alone. */
const unregistered: readonly Family[] = [
  purchases,
  { ...purchaseReturns, rates: presentRates },
  commonPurchases,
  purchasesForExempt,
];

/** Every category, as pickers show them: sales, purchases, purchases from sellers without a number, and the rest. */
export const taxCategories: readonly TaxCategory[] = [
  ...taxed(sales),
  untaxed('SX', 'sales', '輸出売上0%', 'Export sales 0%'),
  untaxed('SE', 'sales', '非課売上', 'Exempt sales'),
  untaxed('SN', 'sales', '対外売上', 'Out-of-scope sales'),
  ...taxed(salesReturns),
  ...taxed(badDebts),
  ...taxed(purchases),
  ...taxed(purchaseReturns),
  untaxed('PE', 'purchase', '非課仕入', 'Exempt purchases'),
  ...taxed(commonPurchases),
  ...taxed(purchasesForExempt),
  ...shares.flatMap((share) => unregistered.flatMap((family) => taxed(family, share))),
  untaxed('O', 'none', '対象外', 'Out of scope'),
];

const byCode: ReadonlyMap<string, TaxCategory> = new Map(taxCategories.map((each) => [each.code, each]));

/** The category with a code. Throws for a code that there is none of, which the schemas refuse. */
export function taxCategory(code: string): TaxCategory {
  const found = byCode.get(code);
  if (!found) throw new Error(`There is no tax category ${code}`);
  return found;
}

/** Whether a category is in force on a day; its first and its last day are. */
export function isInForce({ valid_from, valid_to }: TaxCategory, date: string): boolean {
  return (valid_from === null || valid_from <= date) && (valid_to === null || date <= valid_to);
}

/** The categories that are in force on a day. */
export function categoriesInForce(date: string): TaxCategory[] {
  return taxCategories.filter((category) => isInForce(category, date));
}

/** The categories of a family by rate; those with a share have its days, whatever the days of the rate. */
function taxed({ code, side, ja, en, rates }: Family, share?: (typeof shares)[number]): TaxCategory[] {
  return rates.map((rate) => ({
    code: `${code}${rate.code}${share ? `T${share.percent}` : ''}`,
    name: `${ja}${share ? `（控${share.percent}）` : ''}${rate.ja}`,
    name_en: `${en}${share ? ` (${share.percent}% deductible)` : ''} ${rate.en}`,
    side,
    rate: rate.percent,
    deductible_percent: share?.percent ?? 100,
    valid_from: (share ?? rate).from,
    valid_to: (share ?? rate).to,
  }));
}

function untaxed(code: string, side: TaxSide, name: string, name_en: string): TaxCategory {
  return { code, name, name_en, side, rate: 0, deductible_percent: 100, valid_from: null, valid_to: null };
}
