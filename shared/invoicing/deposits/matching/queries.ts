import type { Reader } from '../../../kernel/reader.ts';
import { inTurns, type Pausing } from '../../../kernel/turns.ts';
import type { Page, Window } from '../../../kernel/window.ts';
import { moneyLeft, unallocatedOf, untakenFee } from '../money.ts';
import { type DepositFilters, depositRecords } from '../queries.ts';
import type { DepositRecord } from '../rows.ts';
import { candidatesByPayer } from '../suggestions/queries.ts';
import { type Candidate, type Suggestion, suggest } from '../suggestions/suggest.ts';
import { newClaims } from './claims.ts';
import { type Decided, decide, type Matching } from './decide.ts';
import { type DepositMatch, MOST_LIKELY } from './record.ts';

/** A deposit with what would become of it, and the likeliest suggestions where none is likely enough. */
type Matched = Decided & { suggestions: readonly Suggestion[] };

/** What would become of each of the deposits if they were matched now, one after the other in their order. */
export async function matchesOf(
  reader: Reader,
  deposits: readonly DepositRecord[],
  matching: Matching,
): Promise<Matched[]> {
  const candidates = await candidatesByPayer(reader, deposits);
  return inTurns(matched(deposits, candidates, matching));
}

function* matched(
  deposits: readonly DepositRecord[],
  candidates: (deposit: DepositRecord) => readonly Candidate[],
  matching: Matching,
): Pausing<Matched[]> {
  const all: Matched[] = [];
  const claims = newClaims();
  for (const deposit of deposits) {
    yield;
    const match = matchOf(deposit, claims.left(deposit, candidates(deposit)), matching);
    if (match.suggestion) claims.take(deposit, match.suggestion);
    all.push(match);
  }
  return all;
}

function matchOf(deposit: DepositRecord, candidates: readonly Candidate[], matching: Matching): Matched {
  if (moneyLeft(deposit) <= 0) {
    return { outcome: 'nothing_unallocated', suggestion: null, likely: [], suggestions: [] };
  }
  const { payer_name, received_on } = deposit;
  const money = { amount: unallocatedOf(deposit), untaken_fee: untakenFee(deposit) };
  const suggestions = suggest({ ...money, payer_name, received_on }, candidates);
  const decided = decide(suggestions, matching);
  if (decided.outcome === 'match' && isCut(candidates, decided.suggestion)) {
    return { ...decided, outcome: 'ambiguous_match', suggestion: null, suggestions };
  }
  return { ...decided, suggestions };
}

/** Whether something that was not looked at may be as likely: of the company that is suggested, or of one that is called so too. */
function isCut(candidates: readonly Candidate[], { company_id }: Suggestion): boolean {
  return candidates.some((one) => one.is_cut && (one.is_exact || one.company_id === company_id));
}

/** A window of the deposits of which something is unallocated, each with what would become of it after those before it in the window. */
export async function depositMatchPage(
  reader: Reader,
  filters: Omit<DepositFilters, 'has_unallocated'>,
  matching: Matching,
  window: Window,
): Promise<Page<DepositMatch>> {
  const page = await depositRecords(reader, { ...filters, has_unallocated: true }, window);
  const matches = await matchesOf(reader, page.rows, matching);
  return { ...page, rows: page.rows.map((deposit, place) => shown(deposit, matches[place]!)) };
}

function shown(deposit: DepositRecord, { outcome, likely, suggestions }: Matched): DepositMatch {
  return {
    id: deposit.id,
    object: 'invoicing.deposit_match',
    received_on: deposit.received_on,
    payer_name: deposit.payer_name,
    unallocated: unallocatedOf(deposit),
    outcome,
    suggestions: (likely.length > 0 ? likely : suggestions).slice(0, MOST_LIKELY),
    created_at: deposit.created_at,
  };
}
