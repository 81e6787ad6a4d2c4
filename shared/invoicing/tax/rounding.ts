export const taxRoundings = ['floor', 'round', 'ceil'] as const;

export type TaxRounding = (typeof taxRoundings)[number];

/**
 * `numerator / denominator` in whole yen, rounded on the magnitude: down, half up, or up. So the negative of an amount
 * rounds to the negative of what it rounds to, and a credit note mirrors its invoice. `denominator` is above 0.
 */
export function divided(numerator: bigint, denominator: bigint, rounding: TaxRounding): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const addend = { floor: 0n, round: denominator / 2n, ceil: denominator - 1n }[rounding];
  const rounded = (magnitude + addend) / denominator;
  return numerator < 0n ? -rounded : rounded;
}
