import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { keepFile } from '../storage/loose-files.ts';
import type { StoredFile } from '../storage/stored-file.ts';
import { jobRow } from './queries.ts';

/** The file of a job, with the time that it was made at. */
export type JobFile = StoredFile & { created_at: string };

export type JobFileRow = Omit<JobFile, 'size'> & { size: number | string };

export const jobFileColumns = [
  'storage_key',
  'file_name',
  'media_type',
  'size',
  'sha256',
  'created_at',
] as const;

/** Days that the file of a job can be had. */
export const KEPT_DAYS = 7;

/** Keeps a stored file as the result of a job, for 7 days. Errors: `unavailable` where the file has been swept. */
export async function keepJobFile(work: Work, job_id: string, file: StoredFile): Promise<void> {
  await keepFile(work, file.storage_key);
  noteFile(work, job_id, file, false);
}

/** Serves a file that a record keeps as the result of a job too, for 7 days; it stays the record's file. */
export function shareJobFile(work: Work, job_id: string, file: StoredFile): void {
  noteFile(work, job_id, file, true);
}

function noteFile(work: Work, job_id: string, file: StoredFile, is_kept: boolean): void {
  const { storage_key, file_name, media_type, size, sha256 } = file;
  const created_at = work.now.toISOString();
  work.insert(
    { tableName: 'job_files' },
    { job_id, storage_key, file_name, media_type, size, sha256, is_kept, created_at },
  );
}

/**
 * The file of a job that the reader may see. Errors: `not_found` also for a job without a file, and for a file that was
 * removed; `job_not_finished`.
 */
export async function jobFile(reader: Reader, job_id: string): Promise<JobFile> {
  const job = await jobRow(reader, job_id);
  const [row] = await reader.connection.query<JobFileRow>(
    `SELECT ${jobFileColumns.join(', ')} FROM job_files WHERE organization_id = $1 AND job_id = $2`,
    [reader.organization_id, job_id],
  );
  if (row) return fileOfRow(row);
  if (job.status === 'queued' || job.status === 'running') {
    throw new Failure('job_not_finished', {
      detail: { en: `The job is ${job.status}`, ja: `ジョブの状態は ${job.status} です` },
      members: { current_status: job.status },
    });
  }
  throw new Failure('not_found', {
    detail: {
      en: `The job has no file: none was made, or it was removed after ${KEPT_DAYS} days`,
      ja: `ジョブのファイルがありません。作成されていないか、${KEPT_DAYS}日が過ぎて削除されました`,
    },
  });
}

/** The row as the file. */
export function fileOfRow({
  storage_key,
  file_name,
  media_type,
  size,
  sha256,
  created_at,
}: JobFileRow): JobFile {
  return { storage_key, file_name, media_type, size: Number(size), sha256, created_at };
}

const BATCH = 500;

/** Gives up the files that are older than 7 days, and answers how many; the store is emptied of them after that. */
export async function releaseOldJobFiles(
  database: Database,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60_000).toISOString();
  let total = 0;
  for (;;) {
    const released = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query(RELEASE, [before, now.toISOString(), BATCH]),
    );
    total += released.length;
    if (released.length < BATCH || signal.aborted) return total;
  }
}

/** Jobs of some kinds; of those in `records` the ones alone whose `member` names one of the records. */
export type JobsOfRecords = {
  kinds: readonly string[];
  records: Readonly<Record<string, { member: string; ids: readonly string[] }>>;
};

/** SQL over a job: whether it is one of `JobsOfRecords`, by the JSON that names its record; `records` is the parameter. */
export function isOfRecords(named: string, records: string): string {
  const asked = `${records}::jsonb -> jobs.kind`;
  return `(${asked} IS NULL OR ${asked} -> 'ids' ? (${named} ->> (${asked} ->> 'member')))`;
}

/** Gives up the files of an organization's jobs, told by their results: they show what nobody may see any more. */
export async function releaseFilesOfJobs(
  { connection, organization_id, now }: Work,
  { kinds, records }: JobsOfRecords,
): Promise<void> {
  const of = [kinds, JSON.stringify(records)];
  await connection.query(RELEASE_OF_KINDS, [organization_id, now.toISOString(), ...of]);
}

/** The row, the name of the content and the note of what to remove, in one statement: all of it or nothing. */
const released = (which: string) => `
  WITH old AS (
    DELETE FROM job_files WHERE (organization_id, job_id) IN (${which} FOR UPDATE OF job_files SKIP LOCKED)
    RETURNING organization_id, job_id, storage_key, is_kept
  ), forgotten AS (
    DELETE FROM generated_files USING old
    WHERE generated_files.organization_id = old.organization_id AND generated_files.job_id = old.job_id
  ), loose AS (
    INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
    SELECT organization_id, storage_key, $2, $2 FROM old WHERE NOT is_kept
  )
  SELECT job_id FROM old`;

const RELEASE = released(
  'SELECT organization_id, job_id FROM job_files WHERE created_at < $1 ORDER BY created_at LIMIT $3',
);

const RELEASE_OF_KINDS = released(
  `SELECT job_files.organization_id, job_files.job_id FROM job_files
     JOIN jobs ON jobs.organization_id = job_files.organization_id AND jobs.id = job_files.job_id
    WHERE job_files.organization_id = $1 AND jobs.kind = ANY ($3) AND ${isOfRecords('jobs.result', '$4')}`,
);
