import type { Work } from '../../../kernel/work.ts';
import { createJob } from '../../../platform/jobs/operations.ts';
import { jobById } from '../../../platform/jobs/queries.ts';
import type { JobResource } from '../../../platform/jobs/record.ts';
import { syncCalendarsJob } from './jobs.ts';

type Syncing = { sync_is_queued: boolean; sync_delivery_id: string | null; sync_job_id: string | null };

/**
 * Asks for the calendars of a connection that check conflicts to be read, or for one of them. A run that is under way reads
 * it once more, since it looks for due calendars until there are none. Locks: the connection.
 */
export async function requestSync(work: Work, connection_id: string, calendar_id?: string): Promise<void> {
  const syncing = await lockSyncing(work, connection_id);
  await markDue(work, connection_id, calendar_id);
  enqueueSync(work, connection_id, syncing);
}

/** Has what is due of a connection read, unless that is asked for already. Locks: the connection. */
export async function requestDue(work: Work, connection_id: string): Promise<void> {
  enqueueSync(work, connection_id, await lockSyncing(work, connection_id));
}

function enqueueSync(work: Work, connection_id: string, syncing: Syncing): void {
  if (syncing.sync_is_queued || syncing.sync_delivery_id !== null || syncing.sync_job_id !== null) return;
  work.enqueue(syncCalendarsJob, { connection_id, job_id: null });
  work.run('UPDATE scheduler_connections SET sync_is_queued = true WHERE organization_id = $1 AND id = $2', [
    work.organization_id,
    connection_id,
  ]);
}

/** The same for somebody who follows it: answers the job that waits already, else a new one. Locks: the connection. */
export async function requestFollowedSync(work: Work, connection_id: string): Promise<JobResource> {
  const { sync_job_id } = await lockSyncing(work, connection_id);
  await markDue(work, connection_id);
  if (sync_job_id !== null) return jobById(work, sync_job_id);
  const job = createJob(work, {
    kind: 'scheduler.calendars.sync',
    scope: 'scheduler:write',
    unit: 'calendars',
  });
  work.enqueue(syncCalendarsJob, { connection_id, job_id: job.id }, { job_id: job.id, priority: 'high' });
  work.run('UPDATE scheduler_connections SET sync_job_id = $3 WHERE organization_id = $1 AND id = $2', [
    work.organization_id,
    connection_id,
    job.id,
  ]);
  return job;
}

async function lockSyncing({ connection, organization_id }: Work, connection_id: string): Promise<Syncing> {
  const [syncing] = await connection.query<Syncing>(
    `SELECT sync_is_queued, sync_delivery_id, sync_job_id FROM scheduler_connections
      WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [organization_id, connection_id],
  );
  return syncing!;
}

/** Makes the calendars of a connection due that check conflicts, or one of them. Locks: the connection, before. */
export async function markDue(work: Work, connection_id: string, calendar_id?: string): Promise<void> {
  await work.connection.query(
    `UPDATE scheduler_calendars SET next_sync_at = $3
      WHERE organization_id = $1 AND connection_id = $2 AND checks_conflicts AND ($4::text IS NULL OR id = $4)`,
    [work.organization_id, connection_id, work.now.toISOString(), calendar_id ?? null],
  );
}
