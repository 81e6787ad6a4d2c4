import { oneOf } from '../../db/one-of.ts';
import { DAY } from '../../kernel/days.ts';
import { firstIdOf } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import { KEPT_DAYS } from './files.ts';
import { visibleTo } from './queries.ts';
import { JobModel, type JobRow, type JobStatus } from './record.ts';

/** A job that makes a file, for people: how far it is, and the file once there is one. `kept_until` in ISO 8601. */
export type Download = Pick<
  JobRow,
  | 'id'
  | 'kind'
  | 'status'
  | 'progress_done'
  | 'progress_total'
  | 'progress_unit'
  | 'created_by'
  | 'created_at'
  | 'error'
> & {
  file: { file_name: string; size: number; kept_until: string } | null;
};

/** What jobs are called that make a file, by the end of their kind. One that is called otherwise is shown once its file is there. */
const MAKES_A_FILE = '\\.(export|errors|pdf|csv|files|archive|transfer_file)$';

/** Days that jobs are looked back for: those that a file is kept, and one for what takes long. */
const LOOKED_BACK = KEPT_DAYS + 1;

const columns = [
  'id',
  'kind',
  'status',
  'progress_done',
  'progress_total',
  'progress_unit',
  'created_by',
  'created_at',
  'error',
] as const;

/**
 * The files that the reader may have and those that are being made for them, the newest first, also those that failed: of the last
 * days alone, at most `limit`, after the job `before` where it is given.
 */
export async function downloadPage(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<{ rows: Download[]; has_more: boolean }> {
  const since = new Date(reader.now.getTime() - LOOKED_BACK * DAY);
  const query = visibleTo(reader, JobModel.table(reader))
    .where('id', '>=', firstIdOf('job', since))
    .whereRaw(`((kind ~ ? AND status <> 'succeeded') OR (${FILE}) IS NOT NULL)`, [MAKES_A_FILE])
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .select(columns);
  if (before !== null) query.where('id', '<', before);
  const found: Omit<Download, 'file'>[] = await query;
  const rows = found.slice(0, limit);
  const files = await filesOf(
    reader,
    rows.map(({ id }) => id),
  );
  return {
    rows: rows.map((row) => ({ ...row, file: files.get(row.id) ?? null })),
    has_more: found.length > limit,
  };
}

/** Looked up job by job: what only asks whether there is one may be answered from the files of everybody. */
const FILE = `SELECT 1 FROM job_files
  WHERE job_files.organization_id = jobs.organization_id AND job_files.job_id = jobs.id LIMIT 1`;

type FileRow = { job_id: string; file_name: string; size: number | string; created_at: string };

async function filesOf(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<Map<string, NonNullable<Download['file']>>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<FileRow>(
    `SELECT job_id, file_name, size, created_at FROM job_files WHERE organization_id = $1 AND job_id = ${oneOf('$2')}`,
    [organization_id, ids],
  );
  return new Map(
    rows.map(({ job_id, file_name, size, created_at }) => {
      const kept_until = new Date(Date.parse(created_at) + KEPT_DAYS * DAY).toISOString();
      return [job_id, { file_name, size: Number(size), kept_until }];
    }),
  );
}

/** Whether a job is still at work. */
export function isOpen(status: JobStatus): boolean {
  return status === 'queued' || status === 'running' || status === 'paused';
}
