import type { Knex } from 'knex';
import { pageOf } from '../../db/list.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Actor, Reader } from '../../kernel/reader.ts';
import { allows, type Grant, servesAllDomains } from '../../kernel/scope.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { JobModel, type JobResource, type JobRow, type JobStatus, jobColumns, jobOf } from './record.ts';

export type JobFilters = { kind?: string; status?: JobStatus };

/**
 * A window of the jobs that the reader may see. Their results are without `entries`, of which one job may have a thousand:
 * those are read job by job, and are left out where they are stored, so that a list does not carry them at all.
 */
export async function jobPage(
  reader: Reader,
  filters: JobFilters,
  window: Window,
): Promise<Page<JobResource>> {
  const query = visibleTo(reader, withoutEntries(reader));
  for (const [field, value] of Object.entries(filters)) if (value !== undefined) query.where(field, value);
  const page = await pageOf<JobRow>(reader, {
    query,
    window,
    table: JobModel.tableName,
    columns: jobColumns,
    prefix: 'job',
  });
  return { ...page, rows: page.rows.map(jobOf) };
}

/** The organization's jobs, under the name of their table. */
function withoutEntries(reader: Reader): Knex.QueryBuilder {
  const { knex } = reader.connection;
  const columns = jobColumns.filter((column) => column !== 'result');
  const result = knex.raw("result - 'entries' AS result");
  return knex.from(
    JobModel.table(reader)
      .select([...columns, result])
      .as(JobModel.tableName),
  );
}

/** A job that the reader may see. Errors: `not_found`. */
export async function jobById(reader: Reader, id: string): Promise<JobResource> {
  return jobOf(await jobRow(reader, id));
}

/** The row of a job that the reader may see, locked where asked. Errors: `not_found`. */
export async function jobRow(reader: Reader, id: string, { lock = false } = {}): Promise<JobRow> {
  const query = visibleTo(reader, JobModel.table(reader)).where({ id }).select(jobColumns);
  const [row] = (await (lock ? query.forUpdate() : query)) as JobRow[];
  if (!row) throw notFound();
  return row;
}

/**
 * The jobs of the one who asks, and those whose scope they hold. A scope that serves all domains (`audit:read`) shows
 * only the jobs of those that they may read.
 */
export function visibleTo({ actor }: Reader, query: Knex.QueryBuilder): Knex.QueryBuilder {
  if (actor.grants.includes('*')) return query;
  const held: Grant[] = allows(actor.grants, 'jobs:read') ? [...actor.grants, 'jobs:read'] : [];
  const ofDomain = held.filter((scope) => !servesAllDomains(scope));
  const ofAll = held.filter(servesAllDomains);
  const readable = ofDomain
    .filter((scope) => scope.endsWith(':read'))
    .map((scope) => scope.slice(0, -':read'.length));
  return query.where((own) => {
    own.where('asked_by', actor.id).orWhereIn('scope', ofDomain);
    own.orWhere((wide) =>
      wide
        .whereIn('scope', ofAll)
        .whereRaw("split_part(kind, '.', 1) = ANY (?)", [['platform', ...readable]]),
    );
    if (actor.type === 'user') own.orWhere('created_by', actor.user_id);
  });
}

/**
 * Whether somebody asked for a job. A person asked for what their keys asked for; a key only for what it asked for
 * itself, not for all that its creator did: it may have been given less.
 */
export function isAskedBy(
  actor: Actor,
  { asked_by, created_by }: Pick<JobRow, 'asked_by' | 'created_by'>,
): boolean {
  return asked_by === actor.id || (actor.type === 'user' && created_by === actor.user_id);
}
