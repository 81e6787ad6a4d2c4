import { Failure, notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../../platform/bookkeeping.ts';
import { contextOf } from '../documents/context.ts';
import { lockInvoices } from '../payments/lock.ts';
import { takeBack } from '../payments/take-back.ts';
import { type Deposit, DepositModel, depositFacts } from './record.ts';
import { releaseAllocations } from './release.ts';
import { type DepositRecord, depositOf, lockDeposit } from './rows.ts';

/**
 * Takes one allocation of a deposit back, as deleting its payment does. Errors: `not_found`, `precondition_failed`, those of
 * the books.
 */
export async function deleteAllocation(
  work: Work,
  id: string,
  payment_id: string,
  bookkeeping: Bookkeeping,
): Promise<Deposit> {
  const before = await lockDeposit(work, id);
  work.precondition(before);
  const gone = new Set([payment_id]);
  const taken_back = await takeBackOf(work, before, gone);
  const { deposit, renewed } = await releaseAllocations(work, before, gone);
  await bookkeeping.keep(work, { taken_back, renewed });
  return depositOf(deposit);
}

/**
 * Takes a deposit back with all that it pays. Errors: `not_found`, `precondition_failed`, `has_refunds`, those of the books.
 */
export async function deleteDeposit(work: Work, id: string, bookkeeping: Bookkeeping): Promise<void> {
  const before = await lockDeposit(work, id);
  work.precondition(before);
  if (before.refunds.length > 0) throw new Failure('has_refunds');
  const ids = new Set(before.allocations.map((one) => one.id));
  const taken_back = ids.size === 0 ? [] : await takeBackOf(work, before, ids);
  work.remove(DepositModel, id);
  work.record(depositFacts.deleted, { before: depositOf(before), after: null });
  const { settings } = await contextOf(work);
  await bookkeeping.keep(work, {
    taken_back: [...taken_back, { type: 'deposit', id, reason: DELETED[settings.locale] }],
  });
}

/** Removes payments of a locked deposit. Errors: `not_found` for one that is none of its own. */
async function takeBackOf(work: Work, { allocations }: DepositRecord, ids: ReadonlySet<string>) {
  const own = allocations.filter(({ id }) => ids.has(id));
  if (own.length === 0) throw notFound();
  const invoice_ids = [...new Set(own.map(({ invoice_id }) => invoice_id))];
  return takeBack(work, await lockInvoices(work, invoice_ids), ids);
}

/** Why the entry of a deposit is void. */
export const DELETED = { ja: '入金の削除', en: 'The deposit was deleted' };
