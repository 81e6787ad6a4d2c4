import type { Work } from '../../../kernel/work.ts';
import { failJob, progressJob, startJob, succeedJob } from '../../jobs/operations.ts';
import type { ImportDomain, ImportGiven, RevertCounts } from '../domain.ts';
import { type ImportRecord, importFacts, type RevertState, shownImport, shownRevert } from '../record.ts';
import { actorOf, changeImport, lockImport, type Named, runOf } from './checkpoint.ts';
import type { RunDelivery } from './delivery.ts';
import { domainOf, endOvertaken } from './run.ts';

/** The kinds of record that can be imported, and what they are given. */
export type ImportsAndGiven = { imports: readonly ImportDomain[]; given: ImportGiven };

/**
 * Undoes an import batch by batch, from where an earlier run was. A revert whose job is cancelled stops; asked for
 * again, it goes on there.
 */
export async function runRevert(
  domains: ImportsAndGiven,
  named: Named,
  { part, signal, draining }: RunDelivery,
): Promise<void> {
  for (let goesOn = true; goesOn; ) {
    signal.throwIfAborted();
    draining.throwIfAborted();
    await part(async (work) => {
      goesOn = await revertBatch(work, domains, named);
    });
  }
}

async function revertBatch(work: Work, domains: ImportsAndGiven, named: Named): Promise<boolean> {
  const row = await lockImport(work, named.import_id);
  const { revert } = row;
  if (row.status !== 'reverting' || row.job_id !== named.job_id || revert === null) {
    await endOvertaken(work, row, named);
    return false;
  }
  if (!(await startJob(work, named.job_id))) {
    changeImport(work, row, { status: revert.from });
    return false;
  }
  const domain = domainOf(domains.imports, row.kind);
  const acting = work.onBehalfOf(actorOf(row), row.request_id);
  const { next, counts } = await domain.revert(acting, runOf(row), revert.after, domains.given);
  await acting.flushFacts();
  const state: RevertState = { ...summed(revert, counts), from: revert.from, after: next };
  const done = state.deleted_count + state.restored_count + state.left_count;
  const total = next === null ? done : row.created_count + row.updated_count;
  await progressJob(work, named.job_id, { done, total: Math.max(done, total) });
  if (next !== null) {
    changeImport(work, row, { revert: state });
    return true;
  }
  await work.flush();
  await endRevert(work, domain, row, state);
  return false;
}

/** One entry of the audit log for the whole, with what was left. */
async function endRevert(
  work: Work,
  domain: ImportDomain,
  row: ImportRecord,
  revert: RevertState,
): Promise<void> {
  const after = changeImport(work, row, {
    status: 'reverted',
    revert,
    reverted_at: work.now.toISOString(),
  });
  work.record(importFacts(domain.domain).updated, {
    before: { id: row.id, ...shownImport({ ...row, status: revert.from, revert: null }) },
    after: { id: row.id, ...shownImport(after) },
  });
  await succeedJob(work, row.job_id!, { import_id: row.id, ...shownRevert(revert) });
}

/** Restores the status of an import whose revert failed: it can be requested again, and continues from its last batch. */
export async function giveUpRevert(
  work: Work,
  named: Named,
  error: { code: string; message: string },
): Promise<void> {
  const row = await lockImport(work, named.import_id);
  if (row.status !== 'reverting' || row.job_id !== named.job_id) return;
  changeImport(work, row, { status: row.revert!.from });
  await failJob(work, named.job_id, error);
}

function summed(state: RevertState, counts: RevertCounts): RevertCounts {
  return {
    deleted_count: state.deleted_count + counts.deleted_count,
    restored_count: state.restored_count + counts.restored_count,
    removed_membership_count: state.removed_membership_count + counts.removed_membership_count,
    left_count: state.left_count + counts.left_count,
    ...(counts.left_by && { left_by: added(state.left_by, counts.left_by) }),
  };
}

function added(
  before: RevertCounts['left_by'] = {},
  more: NonNullable<RevertCounts['left_by']>,
): Record<string, number> {
  const sums = Object.entries(more).map(([code, count]) => [code, (before[code] ?? 0) + count]);
  return { ...before, ...Object.fromEntries(sums) };
}
