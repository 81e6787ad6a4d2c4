import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../jobs/operations.ts';
import type { JobResource } from '../jobs/record.ts';
import type { Batch } from './batch.ts';
import { runBatchJob } from './jobs.ts';
import {
  type BatchEntry,
  BatchModel,
  type BatchRequest,
  type BatchResult,
  type OpenEntry,
  type Outcome,
} from './record.ts';

/** What is asked of a batch: an action, its body, and the records. */
type Asked = Pick<BatchRequest, 'action' | 'body' | 'mail_limits'> & { ids: readonly string[] };

/** Has a worker do an action to the records, one after the other. The action's scope was required before. */
export function requestBatch(work: Work, batch: Batch, asked: Asked): JobResource {
  const { ids, action, body, mail_limits } = asked;
  const { job_scope: scope = batch.actions[action]!.scope } = batch;
  const job = createJob(work, { kind: `${batch.name}.batch`, scope, unit: 'records', total: ids.length });
  const { type, id, user_id } = work.actor;
  const request: BatchRequest = {
    batch: batch.name,
    action,
    body,
    total: ids.length,
    actor: { type, id, user_id },
    request_id: work.request_id,
    ip_address: work.ip_address,
    mail_limits,
  };
  work.insert(BatchModel, { id: job.id, request, created_at: work.now.toISOString() });
  insertEntries(work, job.id, ids);
  work.enqueue(runBatchJob, { job_id: job.id }, { job_id: job.id });
  return job;
}

/** Adds the records of a batch in their order. */
export function insertEntries(work: Work, batch_id: string, ids: readonly string[]): void {
  work.run(
    `INSERT INTO batch_entries (organization_id, batch_id, position, record_id)
     SELECT $1, $2, position, record_id FROM unnest($3::text[]) WITH ORDINALITY AS asked (record_id, position)`,
    [work.organization_id, batch_id, ids],
  );
}

/** What was asked for; null when the batch has ended. */
export async function batchRequest(reader: Reader, job_id: string): Promise<BatchRequest | null> {
  const [row] = (await BatchModel.table(reader).where({ id: job_id }).select('request')) as {
    request: BatchRequest;
  }[];
  return row?.request ?? null;
}

/** The next records in their order that nothing was done to yet. */
export async function openEntries(reader: Reader, job_id: string, limit: number): Promise<OpenEntry[]> {
  return reader.connection.query<OpenEntry>(
    `SELECT position, record_id FROM batch_entries
      WHERE organization_id = $1 AND batch_id = $2 AND status IS NULL ORDER BY position LIMIT $3`,
    [reader.organization_id, job_id, limit],
  );
}

/**
 * Notes what came of a record: in the transaction that changes it, where it is changed. What was noted stays: who lost the
 * answer of their COMMIT does not know that the record was changed.
 */
export function noteOutcome(work: Work, job_id: string, position: number, { status, code }: Outcome): void {
  work.run(
    `UPDATE batch_entries SET status = $4, code = $5
      WHERE organization_id = $1 AND batch_id = $2 AND position = $3 AND status IS NULL`,
    [work.organization_id, job_id, position, status, code],
  );
}

/** What came of all records so far; `rest` is the code of those whose turn never came. */
export async function batchResult(reader: Reader, job_id: string, rest: string): Promise<BatchResult> {
  const entries = await reader.connection.query<BatchEntry>(
    `SELECT record_id AS id, status, CASE WHEN status IS NULL THEN $3 ELSE code END AS code FROM batch_entries
      WHERE organization_id = $1 AND batch_id = $2 ORDER BY position`,
    [reader.organization_id, job_id, rest],
  );
  const succeeded = entries.filter(({ code }) => code === null).length;
  const not_done = entries.filter(({ status }) => status === null).length;
  return { succeeded, failed: entries.length - succeeded - not_done, not_done, entries };
}

/** Removes what was asked for, with its records: the batch has ended. */
export function endBatch(work: Work, job_id: string): void {
  work.remove(BatchModel, job_id);
}
