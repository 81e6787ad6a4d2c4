import { divided } from './rounding.ts';

/** Quantities and unit prices have at most three decimals, so their product has six. */
const DECIMALS = 3;
const THOUSAND = 10n ** BigInt(DECIMALS);

/** A plain decimal ("-12.5") in thousandths. Throws for more than three decimals, which the schemas refuse. */
function thousandths(decimal: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(decimal) ?? [];
  if (whole === '') throw new Error(`${decimal} is no decimal with at most three decimals`);
  const value = BigInt(whole) * THOUSAND + BigInt(fraction.padEnd(DECIMALS, '0'));
  return sign ? -value : value;
}

/** Quantity times unit price in yen; fractions of a yen are cut toward zero. */
export function lineAmount(quantity: string, unit_price: string): bigint {
  return divided(thousandths(quantity) * thousandths(unit_price), THOUSAND * THOUSAND, 'floor');
}

/**
 * The amount of a part of a line of which `before` was taken already (both quantities): what all that is taken so far
 * amounts to, less what was counted. So parts add up to the line's amount to the yen, however it is divided.
 */
export function partAmount(before: string, quantity: string, unit_price: string): bigint {
  const price = thousandths(unit_price);
  const taken = thousandths(before);
  const amountOf = (thousands: bigint) => divided(thousands * price, THOUSAND * THOUSAND, 'floor');
  return amountOf(taken + thousandths(quantity)) - amountOf(taken);
}
