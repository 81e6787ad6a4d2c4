import type { Work } from '../../kernel/work.ts';
import { allocatedOf } from './money.ts';
import { DepositModel, depositFacts } from './record.ts';
import { type DepositRecord, depositOf } from './rows.ts';

/**
 * Writes what a change made of a locked deposit and says so; a change that changes nothing leaves no trace. Answers the
 * deposit as it is now.
 */
export function writeDeposit(work: Work, before: DepositRecord, changed: DepositRecord): DepositRecord {
  const shown = depositOf(before);
  if (work.isSame(depositFacts.updated, shown, depositOf(changed))) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { allocations, refunds, created_by, created_at, ...row } = after;
  // By itself, after what removed payments: a trigger for the release before changes the deposit with those.
  work.updateAll(DepositModel, [{ ...row, allocated: allocatedOf(after) }]);
  work.record(depositFacts.updated, { before: shown, after: depositOf(after) });
  return after;
}
