import { priorities } from '../../kernel/job.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { fileOfRow, type JobFile, type JobFileRow, jobFileColumns } from './files.ts';
import { createJob, type NewJob } from './operations.ts';
import { type JobResource, type JobRow, jobColumns, jobOf } from './record.ts';

/** The job that makes some content, and the file once it is made. */
export type GeneratedFile = { job: JobResource; file: JobFile | null };

/** A file that a record has already, or content that a worker makes a file of. */
export type Content =
  | { file: JobFile }
  | {
      /** Names the content: the same key means the same bytes, so it has to change when the content does. */
      key: string;
      /** Enqueues what makes the file and hands it to `keepJobFile`; called once for all who ask at the same time. */
      enqueue: (work: Work, job_id: string) => void | Promise<void>;
    };

const columns = [
  ...jobColumns.map((column) => `jobs."${column}" AS "job_${column}"`),
  ...jobFileColumns.map((column) => `job_files."${column}"`),
].join(', ');

/** The job and file of some content; null where it was never requested, or its file has been removed since. */
export async function generatedFile(reader: Reader, content_key: string): Promise<GeneratedFile | null> {
  return (await generatedFiles(reader, [content_key])).get(content_key) ?? null;
}

/** The same by the job, also where the key names another file since. */
export async function generatedByJob(reader: Reader, job_id: string): Promise<GeneratedFile | null> {
  const [row] = await reader.connection.query(
    `SELECT ${columns} FROM jobs
       LEFT JOIN job_files ON job_files.organization_id = jobs.organization_id AND job_files.job_id = jobs.id
      WHERE jobs.organization_id = $1 AND jobs.id = $2`,
    [reader.organization_id, job_id],
  );
  return row ? generatedOf(row) : null;
}

/** The same of many, by their keys; without those that were never requested. */
export async function generatedFiles(
  reader: Reader,
  content_keys: readonly string[],
): Promise<Map<string, GeneratedFile>> {
  const rows = await reader.connection.query(
    `SELECT generated_files.content_key, ${columns} FROM generated_files
       JOIN jobs ON jobs.organization_id = generated_files.organization_id AND jobs.id = generated_files.job_id
       LEFT JOIN job_files ON job_files.organization_id = jobs.organization_id AND job_files.job_id = jobs.id
      WHERE generated_files.organization_id = $1 AND generated_files.content_key = ANY ($2)`,
    [reader.organization_id, content_keys],
  );
  return new Map(rows.map((row) => [row.content_key as string, generatedOf(row)]));
}

function generatedOf(row: Record<string, unknown>): GeneratedFile {
  const job = Object.fromEntries(jobColumns.map((column) => [column, row[`job_${column}`]])) as JobRow;
  return { job: jobOf(job), file: row['storage_key'] ? fileOfRow(row as JobFileRow) : null };
}

/**
 * The job that makes some content: the one that is under way, or a new one, which `enqueue` hands to its queue. Who
 * comes at the same time waits here for the first one to commit, and gets its job.
 */
export async function generateOnce(
  work: Work,
  content_key: string,
  job: NewJob,
  enqueue: (job_id: string) => void | Promise<void>,
): Promise<GeneratedFile> {
  const { connection, organization_id } = work;
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `generated ${organization_id} ${content_key}`,
  ]);
  const known = await generatedFile(work, content_key);
  if (known && (known.file || known.job.status === 'queued' || known.job.status === 'running')) {
    work.nothingChanged();
    if (known.job.status === 'queued') goFirst(work, known.job.id);
    return known;
  }
  return { job: await newGenerated(work, content_key, job, enqueue), file: null };
}

/** A request waits for the file now: its delivery goes before the others that are not dispatched yet. */
function goFirst(work: Work, job_id: string): void {
  work.run(
    `UPDATE outbox SET priority = $3
      WHERE organization_id = $1 AND job_id = $2 AND handed_over_at IS NULL AND failed_at IS NULL AND priority > $3`,
    [work.organization_id, job_id, priorities.high],
  );
}

/** Makes the job for some content that has no living one: what is new in this transaction, or what is locked by it. */
export async function newGenerated(
  work: Work,
  content_key: string,
  job: NewJob,
  enqueue: (job_id: string) => void | Promise<void>,
): Promise<JobResource> {
  const made = createJob(work, job);
  work.run(
    `INSERT INTO generated_files (organization_id, content_key, job_id, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, content_key) DO UPDATE SET job_id = excluded.job_id, created_at = excluded.created_at`,
    [work.organization_id, content_key, made.id, work.now.toISOString()],
  );
  await enqueue(made.id);
  return made;
}

/** Forgets that a job's file is what a key names, unless it is the key given: what the key named has changed since. */
export function forgetGenerated(work: Work, job_id: string, { unless }: { unless: string }): void {
  work.run('DELETE FROM generated_files WHERE organization_id = $1 AND job_id = $2 AND content_key <> $3', [
    work.organization_id,
    job_id,
    unless,
  ]);
}
