import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { countUpTo, type Reference, referencesTo } from '../../platform/references.ts';
import { type MergeInput, type Moved, sumOf } from '../merge.ts';
import { mergeJob } from './jobs.ts';
import type { Merger } from './mergers.ts';
import { MergeModel, type MergeRequest } from './record.ts';

/**
 * Rows that a request may move: about 5 s of an idle core, so that a request stays within its 30 s on a busy machine,
 * too. Lines of documents count as rows, since each document is read with its lines.
 */
export const MOST_MERGED_AT_ONCE = 5_000;

/**
 * Merges the loser into the record at once, or as a job where more than 5,000 rows refer to the loser: then the answer
 * says what the merge would do now, and everything that can be refused now is refused. `dry_run` never makes a job.
 * Errors: those of the merge.
 */
export async function mergeNowOrLater<Result extends { moved: Moved; dry_run: boolean }>(
  work: Work,
  merger: Merger<Result>,
  id: string,
  input: MergeInput,
  references: readonly Reference[],
): Promise<Result & { job: JobResource | null }> {
  if (input.dry_run || !(await isLong(work, merger.table, input.loser_id, references))) {
    return { ...(await merger.merge(work, id, input, references)), job: null };
  }
  const expected = await merger.merge(work, id, { ...input, dry_run: true }, references);
  const total = sumOf(expected.moved);
  const job = createJob(work, { kind: merger.name, scope: 'crm:write', unit: 'records', total });
  const { type, id: actor_id, user_id } = work.actor;
  const request: MergeRequest = {
    merger: merger.name,
    survivor_id: id,
    loser_id: input.loser_id,
    fields: input.fields,
    revisions: work.revisions,
    actor: { type, id: actor_id, user_id },
    request_id: work.request_id,
    ip_address: work.ip_address,
  };
  work.insert(MergeModel, { id: job.id, request, created_at: work.now.toISOString() });
  work.enqueue(mergeJob, { job_id: job.id }, { job_id: job.id });
  return { ...expected, dry_run: false, job };
}

async function isLong(
  work: Work,
  table: string,
  loser_id: string,
  references: readonly Reference[],
): Promise<boolean> {
  const own = referencesTo(references, table);
  return (await countUpTo(work, own, loser_id, MOST_MERGED_AT_ONCE)) > MOST_MERGED_AT_ONCE;
}

/** What was asked for; null when the merge has ended. */
export async function mergeRequest(reader: Reader, job_id: string): Promise<MergeRequest | null> {
  const [row] = (await MergeModel.table(reader).where({ id: job_id }).select('request')) as {
    request: MergeRequest;
  }[];
  return row?.request ?? null;
}

/** Removes what was asked for: the merge has ended. */
export function endMerge(work: Work, job_id: string): void {
  work.remove(MergeModel, job_id);
}
