import type { TaxRules } from '../../shared/received/input-tax/rules.ts';

/** What the law says of purchases from sellers without a registration number, newest first; written by hand. */
export const taxRulesOfLaw: TaxRules = {
  shares: [
    { from: '2031-10-01', value: 0 },
    { from: '2030-10-01', value: 30 },
    { from: '2028-10-01', value: 50 },
    { from: '2026-10-01', value: 70 },
    { from: '2023-10-01', value: 80 },
    { from: '0001-01-01', value: 100 },
  ],
  small_amounts: [
    { from: '2029-10-01', value: 0 },
    { from: '2023-10-01', value: 10_000 },
    { from: '0001-01-01', value: 0 },
  ],
  supplier_caps: [
    { from: '2026-10-01', value: 100_000_000 },
    { from: '0001-01-01', value: 1_000_000_000 },
  ],
};
