import type { Work } from '../../kernel/work.ts';
import type { Renewed } from '../../platform/bookkeeping.ts';
import { contextOf } from '../documents/context.ts';
import { advanceOf } from './money.ts';
import type { DepositRecord } from './rows.ts';
import { writeDeposit } from './write.ts';

/**
 * Writes a locked deposit without some of its allocations, whose amounts are unallocated again. Answers it as it is, and what
 * the books are to renew: what an allocation of its making gives back is an advance from now on.
 */
export async function releaseAllocations(
  work: Work,
  before: DepositRecord,
  ids: ReadonlySet<string>,
): Promise<{ deposit: DepositRecord; renewed: Renewed[] }> {
  const allocations = before.allocations.filter(({ id }) => !ids.has(id));
  const deposit = writeDeposit(work, before, { ...before, allocations });
  if (advanceOf(before) === advanceOf(deposit)) return { deposit, renewed: [] };
  const { settings } = await contextOf(work);
  return { deposit, renewed: [{ type: 'deposit', id: before.id, reason: RELEASED[settings.locale] }] };
}

/** Why the entry of a deposit is made anew. */
const RELEASED = { ja: '入金の割り当ての取消', en: 'An allocation of the deposit was taken back' };
