import type { Reader } from '../../kernel/reader.ts';
import type { DomainName } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { isOfRecords, type JobsOfRecords, releaseFilesOfJobs } from '../jobs/files.ts';
import type { Exporter } from './exporter.ts';
import type { ExportRequest } from './record.ts';

/** Exports that may show what goes: all of an exporter, or those alone whose `member` of the filters names one of the records. */
export type OutdatedExports = { exporter: DomainName; records?: { member: string; ids: readonly string[] } };

/**
 * To be called by what removes rows, or persons from them, for good: takes away the files of exports that may show them, and has those
 * begin anew that run just now and may have read what goes. Locks: the exports, after the rows, then the jobs that run.
 */
export async function outdateExports(work: Work, outdated: readonly OutdatedExports[]): Promise<void> {
  const { connection, organization_id } = work;
  const names = outdated.flatMap(({ exporter, records }) =>
    (records?.ids ?? [EVERY_RECORD]).map((id) => lockName(organization_id, exporter, id)),
  );
  if (names.length === 0) return;
  await connection.query(
    'SELECT pg_advisory_xact_lock_shared(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name',
    [names.toSorted()],
  );
  const of = kindsOf(outdated);
  const running = await connection.query<{ id: string }>(
    `SELECT jobs.id FROM jobs JOIN exports ON exports.organization_id = jobs.organization_id AND exports.id = jobs.id
      WHERE jobs.organization_id = $1 AND jobs.kind = ANY ($2) AND jobs.status = 'running'
        AND ${isOfRecords("exports.request -> 'filters'", '$3')}
      ORDER BY jobs.id FOR UPDATE OF jobs`,
    [organization_id, of.kinds, JSON.stringify(of.records)],
  );
  if (running.length > 0) {
    await connection.query(
      `UPDATE exports SET request = request || '{"is_outdated": true}' WHERE organization_id = $1 AND id = ANY ($2)`,
      [organization_id, running.map(({ id }) => id)],
    );
  }
  await releaseFilesOfJobs(work, of);
}

function kindsOf(outdated: readonly OutdatedExports[]): JobsOfRecords {
  const kindOf = ({ exporter }: OutdatedExports) => `${exporter}.export`;
  return {
    kinds: outdated.map(kindOf),
    records: Object.fromEntries(
      outdated.flatMap((each) => (each.records ? [[kindOf(each), each.records]] : [])),
    ),
  };
}

/**
 * Waits for removals that are about to commit, whose rows an export would read; those after it are told to it. To be called
 * as the export begins, before its moment of the database. Locks: the record's exports, before the job.
 */
export async function awaitRemovals(work: Work, exporter: Exporter, request: ExportRequest): Promise<void> {
  const id = exporter.record === undefined ? EVERY_RECORD : String(request.filters[exporter.record]);
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

/** What stands for the record in the lock of an exporter whose exports are of none. */
const EVERY_RECORD = '';

function lockName(organization_id: string, exporter: string, id: string): string {
  return `export ${organization_id} ${exporter} ${id}`;
}
