const MILLIONTHS = 1_000_000n;

/** A quotient as a decimal with so many digits, half away from zero; `divisor` is positive. */
export function quotient(dividend: bigint, divisor: bigint, digits: number): string {
  const scaled = (dividend < 0n ? -dividend : dividend) * 10n ** BigInt(digits);
  const rounded = (scaled * 2n + divisor) / (divisor * 2n);
  const text = rounded.toString().padStart(digits + 1, '0');
  const sign = dividend < 0n && rounded > 0n ? '-' : '';
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A decimal of at most six digits after the point, in millionths. */
export function millionths(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const value = BigInt(whole) * MILLIONTHS + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
  return decimal.startsWith('-') ? -value : value;
}

/** What so many values of that sum are on average, with two decimals. */
export function mean(sum: string, count: number): string {
  return quotient(millionths(sum), BigInt(count) * MILLIONTHS, 2);
}

/** What lies in the middle of two decimals, with two decimals. */
export function middle(lower: string, upper: string): string {
  return quotient(millionths(lower) + millionths(upper), 2n * MILLIONTHS, 2);
}

/** How many of all they are in percent, with one decimal; of none it is 0. */
export function percentage(part: number, all: number): string {
  return all === 0 ? '0.0' : quotient(100n * BigInt(part), BigInt(all), 1);
}
