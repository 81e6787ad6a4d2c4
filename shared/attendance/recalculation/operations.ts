import { daysLater } from '../../kernel/days.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import { isAskedBy } from '../../platform/jobs/queries.ts';
import { JobModel, type JobResource, type JobRow, jobColumns, jobOf } from '../../platform/jobs/record.ts';
import { recalculateJob } from './jobs.ts';
import { type Recalculation, recalculationColumns } from './open.ts';

/** Whose records a change concerns, and from which day on. */
export type Concerned = {
  /** null: all members. */
  member_ids: readonly string[] | null;
  /** The first day that may come out differently; null: every day of an open period. */
  from: string | null;
};

/** A session reaches so many days beyond its work date: its figures may follow from later days. */
const REACH = 4;

/**
 * Has a worker compute the records of open periods again after a change of settings, schedules, terms, rosters or holidays.
 * Answers the job that does it; null where nobody concerned has a record of these days. A change joins the recalculation that
 * waits for its turn, with all that one which ended too early has left; one that runs may be past what it concerns, so a new
 * one follows it.
 */
export async function recalculate(work: Work, concerned: Concerned): Promise<JobResource | null> {
  if (!(await hasRecords(work, concerned))) return null;
  // Of two changes at a time the second one finds the recalculation that the first one asked for.
  await lockOrganization(work.connection, work.organization_id);
  const waiting = await work.connection.query<Recalculation>(
    `SELECT ${recalculationColumns.join(', ')} FROM attendance_recalculations
      WHERE organization_id = $1 AND status IN ('queued', 'stopped') ORDER BY id FOR UPDATE`,
    [work.organization_id],
  );
  const jobs = await lockJobs(work, waiting);
  const row = waiting.find((each) => each.status === 'queued' && mayJoin(work, jobs.get(each.job_id)));
  const stopped = waiting.filter(
    ({ status, job_id }) => status === 'stopped' || jobs.get(job_id)?.status !== 'queued',
  );
  const all = [...stopped, ...(row ? [row] : [])].map(concernedBy).reduce(joined, concerned);
  work.run('DELETE FROM attendance_recalculations WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    stopped.map(({ id }) => id),
  ]);
  if (row) {
    work.run(
      `UPDATE attendance_recalculations SET member_ids = $3, from_date = $4
        WHERE organization_id = $1 AND id = $2`,
      [work.organization_id, row.id, all.member_ids, all.from],
    );
    return jobOf(jobs.get(row.job_id)!);
  }
  const job = createJob(work, { kind: 'attendance.records.recalculate', scope: '*', unit: 'members' });
  const id = newId('arcl', work.now);
  work.run(
    `INSERT INTO attendance_recalculations (organization_id, id, job_id, status, member_ids, from_date)
     VALUES ($1, $2, $3, 'queued', $4, $5)`,
    [work.organization_id, id, job.id, all.member_ids, all.from],
  );
  work.enqueue(recalculateJob, { recalculation_id: id, job_id: job.id }, { job_id: job.id });
  return job;
}

/** The jobs of recalculations by their IDs, locked behind these. */
async function lockJobs(work: Work, rows: readonly Recalculation[]): Promise<Map<string, JobRow>> {
  const jobs = (await JobModel.table(work)
    .whereRaw('id = ANY (?)', [rows.map(({ job_id }) => job_id)])
    .select(jobColumns)
    .orderBy('id')
    .forUpdate()) as JobRow[];
  return new Map(jobs.map((job) => [job.id, job]));
}

/** Whether a change may be answered a job that waits: it has not been cancelled, and who asks may see it. */
function mayJoin({ actor }: Work, job: JobRow | undefined): boolean {
  return job?.status === 'queued' && (actor.grants.includes('*') || isAskedBy(actor, job));
}

async function hasRecords(work: Work, { member_ids, from }: Concerned): Promise<boolean> {
  await work.flush();
  const since = from === null ? null : daysLater(from, -REACH);
  const [found] =
    member_ids === null
      ? await work.connection.query(
          `SELECT FROM attendance_records
            WHERE organization_id = $1 AND work_date >= coalesce($2::date, '-infinity') LIMIT 1`,
          [work.organization_id, since],
        )
      : await work.connection.query(
          `SELECT FROM attendance_records
            WHERE organization_id = $1 AND member_id = ANY ($3) AND work_date >= coalesce($2::date, '-infinity')
            LIMIT 1`,
          [work.organization_id, since, member_ids],
        );
  return found !== undefined;
}

function concernedBy({ member_ids, from_date }: Recalculation): Concerned {
  return { member_ids, from: from_date };
}

/** What two changes concern together: members of the one from the first day of both. */
function joined(one: Concerned, other: Concerned): Concerned {
  const member_ids =
    one.member_ids === null || other.member_ids === null
      ? null
      : [...new Set([...one.member_ids, ...other.member_ids])].sort();
  const from =
    one.from === null || other.from === null ? null : one.from < other.from ? one.from : other.from;
  return { member_ids, from };
}
