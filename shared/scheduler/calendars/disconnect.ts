import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { leaveEntries } from './entries/left.ts';
import { NO_LEASE } from './google/lease.ts';
import { jobOfConnection, requireLiving } from './operations.ts';
import { lockConnection } from './queries.ts';
import { type CalendarConnection, ConnectionModel, connectionFacts } from './record.ts';
import { connectionById } from './rows.ts';
import { disconnectJob } from './sync/jobs.ts';

/**
 * Disconnects a calendar: what was read of it is gone at once, a job stops what its provider tells us and gives the access
 * back. Again: the job that waits. Its owner may do it, admins and owners for everybody. Locks: the connection.
 * Errors: `not_found`, `not_owner`, `connection_ended`.
 */
export async function disconnect(
  work: Work,
  id: string,
): Promise<{ connection: CalendarConnection; job: JobResource }> {
  const row = await lockConnection(work, id, 'admins_too');
  if (row.status === 'disconnected') {
    const waiting = await jobOfConnection(work, await waitingJob(work, id));
    if (waiting?.kind === DISCONNECT && waiting.finished_at === null) {
      work.nothingChanged();
      return { connection: await connectionById(work, id), job: waiting };
    }
  }
  requireLiving(row);
  return end(work, id);
}

const DISCONNECT = 'scheduler.calendars.disconnect';

/** Disconnects all calendars of a member who leaves. Locks: the connections, by ID. */
export async function disconnectAllOf(work: Work, user_id: string): Promise<void> {
  const rows = await work.connection.query<{ id: string }>(
    `SELECT id FROM scheduler_connections WHERE organization_id = $1 AND user_id = $2 AND status <> 'disconnected'
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, user_id],
  );
  for (const { id } of rows) await end(work, id);
}

async function end(work: Work, id: string): Promise<{ connection: CalendarConnection; job: JobResource }> {
  const { organization_id } = work;
  const before = await connectionById(work, id);
  const job = createJob(work, { kind: DISCONNECT, scope: 'scheduler:write', unit: null });
  const at = work.now.toISOString();
  await leaveEntries(work, id);
  work.update(ConnectionModel, id, {
    status: 'disconnected',
    status_reason: null,
    disconnected_at: at,
    ...NO_LEASE,
    sync_job_id: job.id,
    updated_at: work.touch(before),
  });
  for (const table of ['scheduler_external_events', 'scheduler_read_events']) {
    work.run(`DELETE FROM ${table} WHERE organization_id = $1 AND connection_id = $2`, [organization_id, id]);
  }
  work.run(
    `UPDATE scheduler_calendars SET next_sync_at = NULL, sync_token = NULL, is_write_target = false
      WHERE organization_id = $1 AND connection_id = $2`,
    [organization_id, id],
  );
  work.enqueue(disconnectJob, { connection_id: id, job_id: job.id }, { job_id: job.id });
  await work.flush();
  const after = await connectionById(work, id);
  work.record(connectionFacts.updated, { before, after });
  return { connection: after, job };
}

async function waitingJob({ connection, organization_id }: Work, id: string): Promise<string | null> {
  const [row] = await connection.query<{ sync_job_id: string | null }>(
    'SELECT sync_job_id FROM scheduler_connections WHERE organization_id = $1 AND id = $2',
    [organization_id, id],
  );
  return row!.sync_job_id;
}
