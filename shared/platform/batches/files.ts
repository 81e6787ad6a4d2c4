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

/** What was asked for, with what an earlier try has done for it. */
export type AskedFiles = FilesRequest & {
  asked_at: Date;
  ids: readonly string[];
  /** By ID, the content whose making was asked for. */
  content_keys: ReadonlyMap<string, string>;
};

/** What was asked for; null when the files are together. */
export async function filesRequest(reader: Reader, job_id: string): Promise<AskedFiles | null> {
  const { connection, organization_id } = reader;
  const values = [organization_id, job_id];
  const [row] = await connection.query<{ request: FilesRequest; created_at: string }>(
    'SELECT request, created_at FROM batches WHERE organization_id = $1 AND id = $2',
    values,
  );
  if (!row) return null;
  const entries = await connection.query<{ record_id: string; content_key: string | null }>(
    'SELECT record_id, content_key FROM batch_entries WHERE organization_id = $1 AND batch_id = $2 ORDER BY position',
    values,
  );
  return {
    ...row.request,
    asked_at: new Date(row.created_at),
    ids: entries.map(({ record_id }) => record_id),
    content_keys: new Map(
      entries.flatMap(({ record_id, content_key }) => (content_key ? [[record_id, content_key]] : [])),
    ),
  };
}

/** Notes the content whose making was asked for, by record: another try waits for it and does not ask again. */
export function noteContentKeys(work: Work, job_id: string, content_keys: ReadonlyMap<string, string>): void {
  if (content_keys.size === 0) return;
  work.run(
    `UPDATE batch_entries SET content_key = noted.content_key
       FROM unnest($3::text[], $4::text[]) AS noted (record_id, content_key)
      WHERE organization_id = $1 AND batch_id = $2 AND batch_entries.record_id = noted.record_id`,
    [work.organization_id, job_id, [...content_keys.keys()], [...content_keys.values()]],
  );
}

/** Forgets what was asked for: what failed to be made is asked for again. */
export function forgetContentKeys(work: Work, job_id: string): void {
  work.run(
    'UPDATE batch_entries SET content_key = NULL WHERE organization_id = $1 AND batch_id = $2 AND content_key IS NOT NULL',
    [work.organization_id, job_id],
  );
}
