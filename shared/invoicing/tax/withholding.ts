import { type TaxedLine, type TaxRules, taxBreakdown } from './breakdown.ts';
import { divided } from './rounding.ts';

export const withholdingModes = ['none', 'net', 'gross'] as const;

export type WithholdingMode = (typeof withholdingModes)[number];

/** Yen up to which the lower of the two rates applies. */
const STEP = 1_000_000n;
const BELOW = 1021n;
const ABOVE = 2042n;

/**
 * The income tax that a client withholds from fees (Income Tax Act, articles 204 and 205, with the reconstruction
 * surtax: 10.21 %, and 20.42 % of what exceeds 1,000,000 yen; fractions are cut), in yen. `lines` are those that it is
 * withheld from. The base is their net, or with tax where the document does not show the tax apart; a base of 0 or
 * less gives nothing.
 */
export function withholdingTax(lines: readonly TaxedLine[], mode: WithholdingMode, rules: TaxRules): bigint {
  if (mode === 'none') return 0n;
  const base = taxBreakdown(lines, rules).reduce((total, group) => total + group[mode], 0n);
  if (base <= 0n) return 0n;
  if (base <= STEP) return divided(base * BELOW, 10_000n, 'floor');
  return divided((base - STEP) * ABOVE, 10_000n, 'floor') + divided(STEP * BELOW, 10_000n, 'floor');
}
