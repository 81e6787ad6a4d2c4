import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../jobs/operations.ts';
import type { JobResource } from '../jobs/record.ts';
import type { FileSet } from './file-set.ts';
import { collectFilesJob } from './jobs.ts';
import { insertEntries } from './operations.ts';
import { BatchModel, type FilesRequest } from './record.ts';

/** Has a worker put the files of the records together. */
export function requestFiles(
  work: Work,
  set: FileSet,
  { ids, form }: { ids: readonly string[]; form: FilesRequest['form'] },
): JobResource {
  const { name, scope } = set;
  const job = createJob(work, { kind: `${name}.files`, scope, unit: 'files', total: ids.length });
  const { type, id, user_id } = work.actor;
  const { request_id } = work;
  const request: FilesRequest = { files: name, form, actor: { type, id, user_id }, request_id };
  work.insert(BatchModel, { id: job.id, request, created_at: work.now.toISOString() });
  insertEntries(work, job.id, ids);
  work.enqueue(collectFilesJob, { job_id: job.id }, { job_id: job.id });
  return job;
}

/** What was asked for; null when the files are together. */
export async function filesRequest(
  reader: Reader,
  job_id: string,
): Promise<(FilesRequest & { ids: string[] }) | null> {
  const [row] = await reader.connection.query<{ request: FilesRequest; ids: string[] }>(
    `SELECT request, ARRAY(SELECT record_id FROM batch_entries AS entry
         WHERE entry.organization_id = batches.organization_id AND entry.batch_id = batches.id ORDER BY position) AS ids
       FROM batches WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, job_id],
  );
  return row ? { ...row.request, ids: row.ids } : null;
}
