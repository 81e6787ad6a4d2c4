import { isId } from '../../../kernel/id.ts';
import type { Work } from '../../../kernel/work.ts';
import type { Bookkeeping } from '../../../platform/bookkeeping.ts';
import type { ImportRun, RevertBatch } from '../../../platform/imports/domain.ts';
import { outcomesAfter } from '../../../platform/imports/outcomes.ts';
import { contextOf } from '../../documents/context.ts';
import { depositFacts } from '../record.ts';
import { type DepositRecord, depositOf, lockDeposits } from '../rows.ts';
import { DELETED } from '../take-back.ts';
import type { DepositImportOptions } from './options.ts';

const BATCH = 200;

/**
 * Undoes a batch of an import: removes the deposits that it made, with their entries in the books. Those that pay an invoice, of
 * which money was paid back, and whose entries the books keep are left and counted, by the code that refuses their deletion.
 */
export async function revertDeposits(
  work: Work,
  { import_id, options, actor }: ImportRun<DepositImportOptions>,
  after: string | null,
  bookkeeping: Bookkeeping,
): Promise<RevertBatch> {
  const batch = await outcomesAfter(work, import_id, after, BATCH);
  const made = batch.filter(({ key, outcome }) => outcome === 'created' && isId(key, 'dep'));
  const deposits = await lockDeposits(
    work,
    made.map(({ key }) => key),
  );
  const free = new Map<string, DepositRecord>();
  const left_by: Record<string, number> = {};
  const leave = (code: string) => {
    left_by[code] = (left_by[code] ?? 0) + 1;
  };
  for (const deposit of deposits) {
    if (deposit.allocations.length > 0) leave('has_allocations');
    else if (deposit.refunds.length > 0) leave('has_refunds');
    else free.set(deposit.id, deposit);
  }
  const { settings } = await contextOf(work);
  const grants = options.passes_soft_locks ? actor.grants : (['invoicing:write'] as const);
  const booking = work.onBehalfOf({ ...work.actor, grants }, work.request_id);
  await bookkeeping.keep(booking, {
    taken_back: [...free.keys()].map((id) => ({ type: 'deposit', id, reason: DELETED[settings.locale] })),
    refused: ({ id }, { code }) => {
      leave(code);
      free.delete(id);
    },
  });
  await booking.flushFacts();
  work.run('DELETE FROM invoicing_deposits WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    [...free.keys()],
  ]);
  for (const deposit of free.values()) {
    work.record(depositFacts.deleted, { before: depositOf(deposit), after: null });
  }
  await work.flush();
  const counts = {
    deleted_count: free.size,
    restored_count: 0,
    removed_membership_count: 0,
    // What somebody has deleted since is not left.
    left_count: deposits.length - free.size,
    // The release before answers 500 for an import that has one.
    ...(Object.keys(left_by).length > 0 && { left_by }),
  };
  return { next: batch.length < BATCH ? null : batch.at(-1)!.key, counts };
}
