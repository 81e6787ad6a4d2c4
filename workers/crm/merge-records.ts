import { mergerOf } from '../../shared/crm/merges/mergers.ts';
import { endMerge, mergeRequest } from '../../shared/crm/merges/operations.ts';
import type { MergeRequest } from '../../shared/crm/merges/record.ts';
import { withBulk } from '../../shared/db/bulk.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { failures, shownCode } from '../../shared/domains.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { failJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import type { Reference } from '../../shared/platform/references.ts';
import { type Delivery, type Handler, PermanentFailure } from '../kernel/handler.ts';
import { MergeCancelled, type Reporting, reporting } from './reporting.ts';

export type MergeOptions = {
  /** The server itself: the pool's statements have 30 seconds. */
  database_url: string;
  references: readonly Reference[];
};

/**
 * Merges two records in one transaction, so that readers see them merged or not merged. The transaction ends the job
 * too: another try finds the merge done, or nothing changed. A refusal of the merge ends the job with its code and
 * sentence; the one who asked may ask again.
 */
export function mergeRecords(options: MergeOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, delivery) => {
    const request = await begin(job_id, delivery);
    if (!request) return;
    const report = reporting(job_id, delivery);
    try {
      await merge(options, request, { job_id, delivery, report });
    } catch (error) {
      if (!isFinal(error)) throw error;
      await delivery.settle(async (work) => {
        endMerge(work, job_id);
        if (error instanceof Failure) await failJob(work, job_id, shown(error));
      });
    } finally {
      await report.end();
    }
  };
}

/** What is to be merged; null when the job has ended. Throws where it was asked for too long ago. */
async function begin(job_id: string, delivery: Delivery): Promise<MergeRequest | null> {
  let isOpen = false;
  let request: MergeRequest | null = null;
  await delivery.part(async (work) => {
    isOpen = await startJob(work, job_id);
    if (isOpen) request = await mergeRequest(work, job_id);
    else endMerge(work, job_id);
  });
  if (isOpen && !request) throw new PermanentFailure(reasons.asked_too_long_ago().en);
  return request;
}

type Merging = { job_id: string; delivery: Delivery; report: Reporting };

async function merge(
  { database_url, references }: MergeOptions,
  request: MergeRequest,
  { job_id, delivery, report }: Merging,
): Promise<void> {
  const { organization_id, delivery_id, clock } = delivery;
  const { survivor_id, loser_id, fields, revisions, request_id, ip_address } = request;
  await withBulk({ url: database_url, organization_id, signal: report.signal }, async ({ connection }) => {
    const reader: Reader = {
      connection,
      organization_id,
      actor: { ...request.actor, role: null, grants: ['*'] },
      now: clock(),
      request_id,
      ip_address,
    };
    const run = async (work: Work) => {
      // A worker that dies leaves no transaction behind that waits for the end of a long statement.
      await connection.query("SET LOCAL client_connection_check_interval = '1s'");
      report.follow(() => work.recorded);
      const input = { loser_id, fields, dry_run: false };
      const result = await mergerOf(request).merge(work, survivor_id, input, references);
      await work.flushFacts();
      await report.end();
      await delivery.fence(connection);
      const system = work.onBehalfOf(systemActor, delivery_id, clock());
      endMerge(system, job_id);
      if (!(await succeedJob(system, job_id, result))) throw new MergeCancelled();
    };
    await inWork(reader, run, { revisions });
  });
}

/** The code and the sentence that a request would have been answered with. */
function shown({ code, details }: Failure): { code: string; message: string } {
  return { code: shownCode(code), message: (details.detail ?? failures[code].help).en };
}

/** Whether another try would end the same way: the merge is refused, or was cancelled. */
function isFinal(error: unknown): error is Failure | MergeCancelled {
  if (error instanceof MergeCancelled) return true;
  return error instanceof Failure && error.code !== 'unavailable';
}
