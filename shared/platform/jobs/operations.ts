import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { allows, type DomainName, domainOf, type Grant } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { scopeOfJob } from './askers.ts';
import { isAskedBy, jobRow } from './queries.ts';
import { JobModel, type JobResource, type JobRow, jobColumns, jobFacts, jobOf } from './record.ts';

export type NewJob = {
  /** `<domain>.<resource>.<what>`, in the words of the operation that makes it. Its domain's `:write` may cancel it. */
  kind: DomainName;
  /** Who may see it besides the one who asks: the scope of the operation, or `*` for owners and admins alone. */
  scope: Grant;
  /** What progress is counted in: `rows`, `pages`. */
  unit: string | null;
  total?: number | null;
};

/** Makes the resource for work that a worker will do; the caller enqueues the work itself with the job's ID. */
export function createJob(work: Work, { kind, scope, unit, total = null }: NewJob): JobResource {
  const created_at = work.now.toISOString();
  const row: JobRow = {
    id: newId('job', work.now),
    kind,
    scope: scopeOfJob(kind, scope),
    status: 'queued',
    progress_done: 0,
    progress_total: total,
    progress_unit: unit,
    result: null,
    error: null,
    created_by: work.actor.user_id,
    asked_by: work.actor.id,
    created_at,
    updated_at: created_at,
    started_at: null,
    finished_at: null,
  };
  work.insert(JobModel, row);
  const job = jobOf(row);
  work.record(jobFacts.created, { before: null, after: job });
  return job;
}

/** A worker starts the job, or continues it after a restart. False when the job has ended meanwhile: there is nothing to do. */
export async function startJob(work: Work, id: string): Promise<boolean> {
  const row = await openRow(work, id);
  if (row) {
    const status = row.status === 'paused' ? 'paused' : 'running';
    change(work, row, { status, started_at: startOf(row, work.now) });
  }
  return row !== null;
}

/** What a job works for was paused: nothing is done until it is resumed. Does nothing to a job that has ended. */
export async function pauseJob(work: Work, id: string): Promise<void> {
  await turn(work, id, ['queued', 'running'], () => 'paused');
}

/** What a job works for goes on. Null, and nothing done, for a job that is not paused. */
export async function resumeJob(work: Work, id: string): Promise<JobResource | null> {
  return turn(work, id, ['paused'], ({ started_at }) => (started_at === null ? 'queued' : 'running'));
}

/** What a job works for was cancelled, and the job with it. Does nothing to a job that has ended. */
export async function cancelOwnJob(work: Work, id: string): Promise<void> {
  const row = await openRow(work, id);
  if (row) finish(work, row, { status: 'cancelled' });
}

async function turn(
  work: Work,
  id: string,
  from: readonly JobRow['status'][],
  to: (row: JobRow) => JobRow['status'],
): Promise<JobResource | null> {
  const row = await openRow(work, id);
  if (!row || !from.includes(row.status)) return null;
  const after = change(work, row, { status: to(row) });
  work.record(jobFacts.updated, { before: jobOf(row), after });
  return after;
}

/**
 * Says how far a job is, in the transaction of that part; the unit stays unless said. False when it was cancelled
 * meanwhile: then the worker stops, and what it has done so far stays.
 */
export async function progressJob(
  work: Work,
  id: string,
  { done, total, unit }: { done: number; total?: number | null; unit?: string },
): Promise<boolean> {
  const row = await openRow(work, id);
  if (row) {
    const { progress_total, progress_unit } = row;
    const changes = { progress_total: total ?? progress_total, progress_unit: unit ?? progress_unit };
    change(work, row, { progress_done: done, ...changes });
  }
  return row !== null;
}

/**
 * Says that one more of the things a job is to do is done, or so many more: what was said before counts, also of a try that was
 * killed. Null when it has ended meanwhile.
 */
export async function stepJob(work: Work, id: string, by = 1): Promise<JobResource['progress'] | null> {
  const row = await openRow(work, id);
  if (!row) return null;
  const progress_done = row.progress_done + by;
  const started_at = startOf(row, work.now);
  return change(work, row, { status: 'running', started_at, progress_done }).progress;
}

/**
 * Ends a job with its result; one that was cancelled stays so, which is answered with false. `began` is for a job that was
 * done too soon to be said to run.
 */
export async function succeedJob(
  work: Work,
  id: string,
  result: Record<string, unknown>,
  began: Date = work.now,
): Promise<boolean> {
  const row = await openRow(work, id);
  if (row) finish(work, row, { status: 'succeeded', result, started_at: startOf(row, began) });
  return row !== null;
}

/**
 * Ends a job with the reason, in words for the one who asked; one that was cancelled stays so. `began` is null where
 * nobody came to begin it.
 */
export async function failJob(
  work: Work,
  id: string,
  error: { code: string; message: string },
  began: Date | null = null,
): Promise<void> {
  const row = await openRow(work, id);
  if (row) finish(work, row, { status: 'failed', error, started_at: startOf(row, began) });
}

/**
 * Keeps what came of a job that ended before its work was done, as `result` beside its status: of one that was cancelled
 * or given up in the middle. The job may end in the same transaction.
 */
export async function keepResult(work: Work, id: string, result: Record<string, unknown>): Promise<void> {
  const row = await rowIfThere(work, id);
  if (!row) return;
  const after = change(work, row, { result });
  work.record(jobFacts.updated, { before: jobOf(row), after });
}

function startOf({ started_at }: JobRow, began: Date | null): string | null {
  return started_at ?? began?.toISOString() ?? null;
}

/**
 * An operator has the work of failed jobs tried again: they are queued as at first. Does nothing to any other job. As
 * many statements for thousands as for one.
 */
export async function requeueJobs(work: Work, ids: readonly string[]): Promise<void> {
  const rows = (await JobModel.table(work)
    .whereRaw('id = ANY(?)', [[...ids]])
    .where({ status: 'failed' })
    .select(jobColumns)
    .orderBy('id')
    .forUpdate()) as JobRow[];
  const again = { status: 'queued', error: null, started_at: null, finished_at: null } as const;
  const queued = rows.map((row) => ({ ...row, ...again, updated_at: work.touch(row) }));
  work.updateAll(
    JobModel,
    queued.map(({ id, updated_at }) => ({ id, ...again, updated_at })),
  );
  for (const [index, row] of rows.entries()) {
    work.record(jobFacts.updated, { before: jobOf(row), after: jobOf(queued[index]!) });
  }
  work.run("SELECT pg_notify('jobs', id) FROM unnest($1::text[]) AS told (id)", [rows.map(({ id }) => id)]);
}

/** What a domain does instead of cancelling a job of its own; false where the job is not one. Locks what the job works for, first. */
export type CancelsInstead = (work: Work, job_id: string) => Promise<boolean>;

/**
 * Stops a job at its next step, or does what its domain does instead. Errors: `not_found` for who may not see it,
 * `insufficient_scope` for who may only see it, `job_finished`.
 */
export async function cancelJob(
  work: Work,
  id: string,
  instead: readonly CancelsInstead[] = [],
): Promise<JobResource> {
  requireMayCancel(work, await jobRow(work, id));
  for (const cancels of instead) {
    if (!(await cancels(work, id))) continue;
    await work.flush();
    return jobOf(await jobRow(work, id));
  }
  const row = await jobRow(work, id, { lock: true });
  if (!isOpen(row)) {
    throw new Failure('job_finished', {
      detail: { en: `Its status is ${row.status}`, ja: `ジョブの状態は ${row.status} です` },
      members: { current_status: row.status },
    });
  }
  return finish(work, row, { status: 'cancelled' });
}

/** Who asked for a job may cancel it, and so may holders of its domain's `:write`. */
function requireMayCancel({ actor }: Work, row: JobRow): void {
  if (isAskedBy(actor, row) || actor.grants.includes('*')) return;
  const domain = domainOf(row.kind as DomainName);
  const required_scope = domain === 'platform' ? '*' : (`${domain}:write` as const);
  if (required_scope !== '*' && allows(actor.grants, required_scope)) return;
  throw new Failure('insufficient_scope', {
    detail: {
      en: `To cancel a job that somebody else asked for needs the scope ${required_scope}`,
      ja: `ほかの人が依頼したジョブの取り消しには、スコープ ${required_scope} が必要です`,
    },
    members: { required_scope },
  });
}

function isOpen({ status }: JobRow): boolean {
  return status === 'queued' || status === 'running' || status === 'paused';
}

/** The job's row, locked; null when the job has ended or was removed. */
async function openRow(work: Work, id: string): Promise<JobRow | null> {
  const row = await rowIfThere(work, id);
  return row && isOpen(row) ? row : null;
}

async function rowIfThere(work: Work, id: string): Promise<JobRow | null> {
  const [row] = (await JobModel.table(work).where({ id }).select(jobColumns).forUpdate()) as JobRow[];
  return row ?? null;
}

function finish(work: Work, row: JobRow, changes: Partial<JobRow>): JobResource {
  const after = change(work, row, { ...changes, finished_at: work.now.toISOString() });
  work.record(jobFacts.updated, { before: jobOf(row), after });
  return after;
}

/** Notifies at the commit those who wait for the job or show its progress. */
function change(work: Work, row: JobRow, changes: Partial<JobRow>): JobResource {
  const all = { ...changes, updated_at: work.touch(row) };
  work.update(JobModel, row.id, all);
  work.run("SELECT pg_notify('jobs', $1)", [row.id]);
  return jobOf({ ...row, ...all });
}
