import type { Suggestion } from '../suggestions/suggest.ts';

/** What is asked of a match: the score that it must have, and whether a fee may have been taken off. */
export type Matching = { least_score: number; with_fee: boolean };

/** Why a deposit is left as it is. */
export const matchRefusals = [
  'no_match',
  'ambiguous_match',
  'match_with_fee',
  'nothing_unallocated',
] as const;

export type MatchRefusal = (typeof matchRefusals)[number];

/** What a deposit is to be allocated to, or why that is for somebody to decide; with what speaks for it. */
export type Decided =
  | { outcome: 'match'; suggestion: Suggestion; likely: readonly Suggestion[] }
  | { outcome: MatchRefusal; suggestion: null; likely: readonly Suggestion[] };

/**
 * A deposit is matched where one suggestion alone is likely enough: where two are, whatever their scores, the better one is
 * still a guess about somebody's money. A fee that the payer took off is a loss of ours, so it has to be allowed; where it is not,
 * an amount that is right without one comes before all with one. What begins with the invoices due first fits no amount, so
 * it is never a match.
 */
export function decide(suggestions: readonly Suggestion[], { least_score, with_fee }: Matching): Decided {
  const all = suggestions.filter(
    ({ score, reasons }) => score >= least_score && !reasons.includes('oldest_first'),
  );
  const exact = with_fee ? [] : all.filter(({ fee_amount }) => fee_amount === 0);
  const likely = exact.length > 0 ? exact : all;
  const [first, ...others] = likely;
  if (!first) return { outcome: 'no_match', suggestion: null, likely };
  if (others.length > 0) return { outcome: 'ambiguous_match', suggestion: null, likely };
  if (first.fee_amount > 0 && !with_fee) return { outcome: 'match_with_fee', suggestion: null, likely };
  return { outcome: 'match', suggestion: first, likely };
}
