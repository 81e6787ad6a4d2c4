import Big from 'big.js';

const known = new Set(Intl.supportedValuesOf('currency'));
const units = new Map<string, number>();

/** Whether the three letters are a currency of ISO 4217. */
export function isCurrency(code: string): boolean {
  return known.has(code);
}

/** How many decimals amounts of a currency have: JPY 0, USD 2, KWD 3. */
export function minorUnits(currency: string): number {
  const cached = units.get(currency);
  if (cached !== undefined) return cached;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  units.set(currency, digits);
  return digits;
}

/** An exact amount as answers show it: yen as a whole number, others as a decimal string with all their decimals. */
export function shownAmount(amount: string, currency: string): number | string {
  if (currency === 'JPY') return Number(amount);
  return new Big(amount).toFixed(minorUnits(currency));
}

/** Whether a decimal has no more decimals than its currency. */
export function fitsCurrency(amount: string, currency: string): boolean {
  const exact = new Big(amount);
  return exact.eq(exact.round(minorUnits(currency), Big.roundDown));
}

/** The sum of exact decimals, as text. */
export function sum(amounts: Iterable<string>): string {
  let total = new Big(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed();
}
