/** Hundredths of a percent in the whole. */
const HUNDREDTHS = 10_000;

/**
 * How many of all they are in percent, two decimals, half up: 37 of 240 are `15.42`; null of nothing. Both are whole and not negative,
 * at most 400,000 million, so that every step is exact.
 */
export function percent(part: number, all: number): string | null {
  if (all <= 0) return null;
  const hundredths = Math.floor((part * HUNDREDTHS * 2 + all) / (all * 2));
  const digits = String(hundredths).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
