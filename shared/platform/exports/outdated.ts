import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { releaseFilesOfJobs } from '../jobs/files.ts';
import type { Exporter } from './exporter.ts';
import type { ExportRequest } from './record.ts';

/** Records whose rows an exporter writes, one a file: `member` is that of its filters which names the record. */
export type ExportedRecords = { exporter: string; member: string; ids: readonly string[] };

/**
 * To be called by what removes rows for good: takes away the files of exports of these records, and has those begin anew that
 * run just now and may have read what goes. Locks: the records' exports, after the rows, then the jobs that run.
 */
export async function outdateExports(work: Work, { exporter, member, ids }: ExportedRecords): Promise<void> {
  const { connection, organization_id } = work;
  const names = ids.toSorted().map((id) => lockName(organization_id, exporter, id));
  await connection.query(
    'SELECT pg_advisory_xact_lock_shared(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name',
    [names],
  );
  const running = await connection.query<{ id: string }>(
    `SELECT jobs.id FROM jobs JOIN exports ON exports.organization_id = jobs.organization_id AND exports.id = jobs.id
      WHERE jobs.organization_id = $1 AND jobs.kind = $2 AND jobs.status = 'running'
        AND exports.request -> 'filters' ->> $3::text = ANY ($4)
      ORDER BY jobs.id FOR UPDATE OF jobs`,
    [organization_id, `${exporter}.export`, member, ids],
  );
  if (running.length > 0) {
    await connection.query(
      `UPDATE exports SET request = request || '{"is_outdated": true}' WHERE organization_id = $1 AND id = ANY ($2)`,
      [organization_id, running.map(({ id }) => id)],
    );
  }
  await releaseFilesOfJobs(work, `${exporter}.export`, { member, ids });
}

/**
 * Waits for removals that are about to commit, whose rows an export would read; those after it are told to it. To be called
 * as the export begins, before its moment of the database. Locks: the record's exports, before the job.
 */
export async function awaitRemovals(work: Work, exporter: Exporter, request: ExportRequest): Promise<void> {
  if (exporter.record === undefined) return;
  const id = String(request.filters[exporter.record]);
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    lockName(work.organization_id, exporter.name, id),
  ]);
}

/** An export that begins has read nothing yet. */
export function beginUpToDate(work: Work, job_id: string): void {
  work.run(
    `UPDATE exports SET request = request - 'is_outdated'
      WHERE organization_id = $1 AND id = $2 AND request ? 'is_outdated'`,
    [work.organization_id, job_id],
  );
}

/** Whether rows went that an export may have read. Its job is locked by now, so none go any more without taking its file away. */
export async function isOutdated({ connection, organization_id }: Reader, job_id: string): Promise<boolean> {
  const [row] = await connection.query(
    `SELECT FROM exports WHERE organization_id = $1 AND id = $2 AND request ? 'is_outdated'`,
    [organization_id, job_id],
  );
  return row !== undefined;
}

function lockName(organization_id: string, exporter: string, id: string): string {
  return `export ${organization_id} ${exporter} ${id}`;
}
