import { Failure } from '../../../kernel/failure.ts';
import type { Text } from '../../../kernel/language.ts';
import type { Work } from '../../../kernel/work.ts';
import type { Bookkeeping } from '../../../platform/bookkeeping.ts';
import { untakenFee } from '../money.ts';
import { allocateLocked } from '../operations.ts';
import type { Deposit } from '../record.ts';
import { lockDeposit } from '../rows.ts';
import type { Suggestion } from '../suggestions/suggest.ts';
import type { MatchRefusal } from './decide.ts';
import { matchesOf } from './queries.ts';
import { type DepositMatchInput, matchingOf } from './record.ts';

/**
 * Allocates what is left of a deposit as the one suggestion says that is likely enough. The deposit is locked first, then the
 * invoices, as whenever a deposit is allocated; what was paid of them meanwhile is seen under those locks and refused. Errors:
 * `not_found`, `precondition_failed`, those of a match that is for somebody to decide, those of `allocate` and of the books.
 */
export async function matchDeposit(
  work: Work,
  id: string,
  input: DepositMatchInput,
  bookkeeping: Bookkeeping,
): Promise<Deposit> {
  const deposit = await lockDeposit(work, id);
  work.precondition(deposit);
  const [match] = await matchesOf(work, [deposit], matchingOf(input));
  const { outcome, suggestion, likely } = match!;
  if (outcome !== 'match') throw left(outcome, likely);
  const allocations = suggestion.allocations.map(({ invoice_id, amount }) => ({ invoice_id, amount }));
  const fee_amount = untakenFee(deposit) + suggestion.fee_amount;
  return allocateLocked(work, deposit, { allocations, fee_amount }, bookkeeping);
}

function left(outcome: MatchRefusal, likely: readonly Suggestion[]): Failure {
  if (likely.length === 0) return new Failure(outcome);
  return new Failure(outcome, { detail: namesOf(likely) });
}

/** What would be paid, for people: companies with the numbers of their invoices. */
function namesOf(likely: readonly Suggestion[]): Text {
  const each = likely.map(
    ({ company_name, allocations, score }) =>
      `${company_name} ${allocations.map(({ number, invoice_id }) => number ?? invoice_id).join(' + ')} (${score})`,
  );
  return { en: `Likely: ${each.join('; ')}`, ja: `候補：${each.join('、')}` };
}
