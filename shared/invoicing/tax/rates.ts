export const taxCategories = [
  'standard',
  'reduced',
  'legacy_8',
  'zero_rated',
  'exempt',
  'out_of_scope',
] as const;

export type TaxCategory = (typeof taxCategories)[number];

/** A rate in percent and its first day. */
type Rate = { from: string; percent: number };

/** Before any tax there was; for rates that no date of a document can precede. */
const ALWAYS = '0000-01-01';

/**
 * The rates of Japan's consumption tax, national and local together, each with its first day (Consumption Tax Act,
 * articles 29 and 2, and the amendments of 1997, 2014 and 2019); newest first. `legacy_8` is what transitional rules
 * keep at 8 %, whatever its date.
 */
const rates: Record<TaxCategory, readonly Rate[]> = {
  standard: [
    { from: '2019-10-01', percent: 10 },
    { from: '2014-04-01', percent: 8 },
    { from: '1997-04-01', percent: 5 },
    { from: '1989-04-01', percent: 3 },
  ],
  reduced: [{ from: '2019-10-01', percent: 8 }],
  legacy_8: [{ from: ALWAYS, percent: 8 }],
  zero_rated: [{ from: ALWAYS, percent: 0 }],
  exempt: [{ from: ALWAYS, percent: 0 }],
  out_of_scope: [{ from: ALWAYS, percent: 0 }],
};

/** The rate of a category on a day (YYYY-MM-DD) in percent; null where the category was not in force. */
export function taxRateOn(category: TaxCategory, day: string): number | null {
  return rateOn(category, day)?.percent ?? null;
}

/** Whether the rate of a category changed between two days: after `from`, up to and on `to`. */
export function changesWithin(category: TaxCategory, from: string, to: string): boolean {
  return rateOn(category, from) !== rateOn(category, to);
}

function rateOn(category: TaxCategory, day: string): Rate | undefined {
  return rates[category].find((rate) => rate.from <= day);
}
