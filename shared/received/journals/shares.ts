/**
 * An amount over parts by their weights: fractions of a yen are cut, and what is left goes to the part with the largest
 * weight, the first of equal ones. All of it goes there where the weights come to 0.
 */
export function sharesOf(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const shares = weights.map((weight) => (whole === 0n ? 0n : (amount * weight) / whole));
  const left = shares.reduce((rest, share) => rest - share, amount);
  const largest = weights.reduce(
    (place, weight, other) => (magnitude(weight) > magnitude(weights[place]!) ? other : place),
    0,
  );
  return shares.map((share, place) => (place === largest ? share + left : share));
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);
