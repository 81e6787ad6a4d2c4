import { daysBetween } from '../../../kernel/days.ts';
import { payerKey } from './payer-name.ts';
import { MOST_TOGETHER, type OpenInvoice, paidInOrder, type Sum, sumsOf } from './sums.ts';

/** Why a suggestion is made. */
export const suggestionReasons = [
  'company',
  'name',
  'name_part',
  'paid_before',
  'amount',
  'sum',
  'all_open',
  'fee',
  'due_near',
  'oldest_first',
] as const;

export type SuggestionReason = (typeof suggestionReasons)[number];

/**
 * What came in, with a fee of ours that is known and that no allocation has yet (`untaken_fee`); the day as YYYY-MM-DD. The first
 * allocation has that fee and the one that may have been taken off.
 */
export type CameIn = {
  amount: number;
  untaken_fee?: number;
  payer_name: string | null;
  received_on: string;
};

/**
 * A company that may have paid: its names, whether somebody has said that it did, or it has paid under this name before, and its
 * open invoices, those due first.
 */
export type Candidate = {
  company_id: string;
  company_name: string;
  names: readonly string[];
  is_said?: boolean;
  paid_before: boolean;
  /** Whether the payer's name is one of its names, and not a part of one. */
  is_exact?: boolean;
  /** There are more companies of the name, or more open invoices, than are looked at: another one may fit as well. */
  is_cut?: boolean;
  invoices: readonly OpenInvoice[];
};

/** What a deposit may be allocated to, with how likely that is, from 0 to 100. */
export type Suggestion = {
  company_id: string;
  company_name: string;
  allocations: { invoice_id: string; number: string | null; amount: number }[];
  fee_amount: number;
  score: number;
  reasons: SuggestionReason[];
};

export const MOST_SUGGESTIONS = 10;

/** What each reason is worth. A name and an amount that are right are nearly sure; each alone is a guess. */
const WORTH: Readonly<Record<SuggestionReason, number>> = {
  company: 50,
  name: 50,
  name_part: 35,
  paid_before: 50,
  amount: 40,
  sum: 32,
  all_open: 6,
  fee: -8,
  due_near: 8,
  oldest_first: 5,
};

/** Each invoice beyond two makes a sum less likely to be meant. */
const EACH_MORE = 4;

/** An invoice that was issued after the money came. */
const ISSUED_LATER = 30;

/** Days around its due date in which an invoice is usually paid. */
const NEAR = 7;

/** The likeliest allocations of what came in, the best first, 10 at most; each pays up to the balances and not beyond. */
export function suggest(came_in: CameIn, candidates: readonly Candidate[]): Suggestion[] {
  const { untaken_fee = 0 } = came_in;
  const key = came_in.payer_name === null ? '' : payerKey(came_in.payer_name);
  const made = candidates.flatMap((candidate) => {
    const by_name = reasonsOfName(key, candidate);
    const sums = sumsOf(came_in.amount, candidate.invoices, by_name.length > 0 ? MOST_TOGETHER : 1);
    const exact = sums.flatMap((sum) => {
      const first = firstOf(sum, untaken_fee);
      return first ? [suggestSum(came_in, candidate, by_name, { ...sum, first })] : [];
    });
    return exact.length > 0 || by_name.length === 0 ? exact : suggestOldest(came_in, candidate, by_name);
  });
  return made.sort(likelierFirst).slice(0, MOST_SUGGESTIONS);
}

function reasonsOfName(key: string, { names, is_said, paid_before }: Candidate): SuggestionReason[] {
  // Who is said to have paid needs no other sign of it.
  if (is_said) return ['company'];
  const reasons: SuggestionReason[] = paid_before ? ['paid_before'] : [];
  if (key === '') return reasons;
  const keys = names.map(payerKey).filter((name) => name !== '');
  if (keys.includes(key)) return [...reasons, 'name'];
  const isPart = keys.some((name) => isPartOf(name, key) || isPartOf(key, name));
  return isPart ? [...reasons, 'name_part'] : reasons;
}

/** Names are cut by banks, and branches are added by payers; of fewer than three letters that tells nothing. */
function isPartOf(part: string, whole: string): boolean {
  return [...part].length >= 3 && whole.includes(part);
}

/** The first of the invoices that can hold the fees, which are part of the first allocation. */
function firstOf({ invoices, fee_amount }: Sum, untaken_fee: number): OpenInvoice | undefined {
  return invoices.find(({ balance }) => balance >= fee_amount + untaken_fee);
}

function suggestSum(
  came_in: CameIn,
  candidate: Candidate,
  by_name: readonly SuggestionReason[],
  { invoices, fee_amount, first }: Sum & { first: OpenInvoice },
): Suggestion {
  const reasons: SuggestionReason[] = [...by_name, invoices.length === 1 ? 'amount' : 'sum'];
  if (invoices.length > 1 && invoices.length === candidate.invoices.length) reasons.push('all_open');
  if (fee_amount > 0) reasons.push('fee');
  const ordered = [first, ...invoices.filter((invoice) => invoice !== first)];
  const paid = ordered.map((invoice) => ({ invoice, amount: invoice.balance }));
  return scored(came_in, candidate, { reasons, fee_amount, paid });
}

function suggestOldest(
  came_in: CameIn,
  candidate: Candidate,
  by_name: readonly SuggestionReason[],
): Suggestion[] {
  const paid = paidInOrder(came_in.amount, candidate.invoices);
  if (paid.length === 0) return [];
  return [scored(came_in, candidate, { reasons: [...by_name, 'oldest_first'], fee_amount: 0, paid })];
}

type Paying = {
  reasons: SuggestionReason[];
  fee_amount: number;
  paid: readonly { invoice: OpenInvoice; amount: number }[];
};

function scored(
  { received_on }: CameIn,
  candidate: Candidate,
  { reasons, fee_amount, paid }: Paying,
): Suggestion {
  const isNear = paid.every(
    ({ invoice: { due_date } }) => due_date !== null && Math.abs(daysBetween(due_date, received_on)) <= NEAR,
  );
  if (isNear) reasons.push('due_near');
  const isLater = paid.some(({ invoice }) => invoice.issue_date > received_on);
  // A company that has paid under this name before, and has it, is not twice as likely.
  const worth = reasons
    .filter((reason) => !(reason === 'paid_before' && reasons.includes('name')))
    .filter((reason) => !(reason === 'name_part' && reasons.includes('paid_before')))
    .reduce((sum, reason) => sum + WORTH[reason], 0);
  const more = reasons.includes('sum') ? EACH_MORE * (paid.length - 2) : 0;
  const score = Math.max(0, Math.min(100, worth - more - (isLater ? ISSUED_LATER : 0)));
  const allocations = paid.map(({ invoice, amount }) => {
    return { invoice_id: invoice.id, number: invoice.number, amount };
  });
  const { company_id, company_name } = candidate;
  return { company_id, company_name, allocations, fee_amount, score, reasons };
}

/** By score; of equal ones fewer invoices, the smaller fee, then the invoices as they are numbered by ID. */
function likelierFirst(one: Suggestion, other: Suggestion): number {
  const ids = (suggestion: Suggestion) => suggestion.allocations.map(({ invoice_id }) => invoice_id).join();
  return (
    other.score - one.score ||
    one.allocations.length - other.allocations.length ||
    one.fee_amount - other.fee_amount ||
    (ids(one) < ids(other) ? -1 : 1)
  );
}
