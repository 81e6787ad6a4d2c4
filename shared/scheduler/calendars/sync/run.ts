import type { Work } from '../../../kernel/work.ts';
import { failJob, startJob, succeedJob } from '../../../platform/jobs/operations.ts';
import { reasonsOfScheduler } from '../../failure-reasons.ts';
import type { ProviderName } from '../record.ts';
import { markDue } from './request.ts';

/** What a run of a connection needs to know of it. */
export type Running = { id: string; user_id: string; provider: ProviderName; owner_time_zone: string };

/** Whether a run may begin: `busy` while another delivery runs, `over` where there is nothing to read any more. */
export type Begun = { state: 'runs'; running: Running } | { state: 'busy' | 'over' };

type Row = Omit<Running, 'owner_time_zone'> & {
  status: string;
  sync_delivery_id: string | null;
  is_held: boolean;
  owner_time_zone: string | null;
};

/**
 * Takes a connection for one delivery: its calendars are read by one run at a time. A holder whose delivery is no more holds
 * nothing. Locks: the connection.
 */
export async function beginRun(
  work: Work,
  {
    connection_id,
    job_id,
    delivery_id,
  }: { connection_id: string; job_id: string | null; delivery_id: string },
): Promise<Begun> {
  const { connection, organization_id } = work;
  const [row] = await connection.query<Row>(
    `SELECT connection.id, connection.user_id, connection.provider, connection.status, connection.sync_delivery_id,
            EXISTS (SELECT FROM outbox WHERE outbox.organization_id = connection.organization_id
                       AND outbox.id = connection.sync_delivery_id) AS is_held,
            COALESCE(
              (SELECT time_zone FROM scheduler_availability AS availability
                WHERE availability.organization_id = connection.organization_id
                  AND availability.user_id = connection.user_id AND availability.is_default),
              (SELECT time_zone FROM scheduler_settings AS settings
                WHERE settings.organization_id = connection.organization_id)) AS owner_time_zone
       FROM scheduler_connections AS connection
      WHERE connection.organization_id = $1 AND connection.id = $2 FOR NO KEY UPDATE OF connection`,
    [organization_id, connection_id],
  );
  if (!row || row.status === 'disconnected') {
    await forgetRead(work, connection_id);
    if (job_id !== null) await failJob(work, job_id, ENDED);
    return { state: 'over' };
  }
  const isOthers = row.sync_delivery_id !== null && row.sync_delivery_id !== delivery_id && row.is_held;
  if (isOthers && job_id !== null) return { state: 'busy' };
  const holder = isOthers ? row.sync_delivery_id : delivery_id;
  const queued = job_id === null ? ', sync_is_queued = false' : '';
  work.run(
    `UPDATE scheduler_connections SET sync_delivery_id = $3${queued} WHERE organization_id = $1 AND id = $2`,
    [organization_id, connection_id, holder],
  );
  // What is due now is seen by the run that is under way: it looks until nothing is.
  if (isOthers) return { state: 'over' };
  if (job_id !== null && !(await startJob(work, job_id))) {
    await letGo(work, connection_id, delivery_id, job_id);
    return { state: 'over' };
  }
  // It works again once each of its calendars does, whichever one was asked for.
  if (row.status === 'error') await markDue(work, connection_id);
  const { id, user_id, provider, owner_time_zone } = row;
  return {
    state: 'runs',
    running: { id, user_id, provider, owner_time_zone: owner_time_zone ?? DEFAULT_ZONE },
  };
}

/** That of settings that nobody has changed. */
const DEFAULT_ZONE = 'Asia/Tokyo';

const ENDED = { code: 'connection_ended', message: reasonsOfScheduler.disconnected().en };

/** Milliseconds from one reading of a calendar to the next. */
export const INTERVAL = 15 * 60_000;

/** A calendar of a run that is to be read now. */
export type DueCalendar = {
  id: string;
  sync_token: string | null;
  full_sync_at: string | null;
  asked_at: string;
};

/** Clocks of two processes differ by less. */
const SKEW = 5_000;

/** The calendar of a connection that waits for longest. */
export async function nextDue(work: Work, connection_id: string): Promise<DueCalendar | null> {
  const [row] = await work.connection.query<DueCalendar>(
    `SELECT id, sync_token, full_sync_at, next_sync_at AS asked_at FROM scheduler_calendars
      WHERE organization_id = $1 AND connection_id = $2 AND checks_conflicts AND next_sync_at <= $3
      ORDER BY next_sync_at, id LIMIT 1`,
    [work.organization_id, connection_id, new Date(work.now.getTime() + SKEW).toISOString()],
  );
  return row ?? null;
}

/**
 * Ends a run, unless a calendar became due meanwhile: then the run goes on. Answers whether it ended. Locks: the connection.
 */
export async function endRun(
  work: Work,
  connection_id: string,
  { delivery_id, job_id, calendars }: { delivery_id: string; job_id: string | null; calendars: number },
): Promise<boolean> {
  await work.connection.query(
    'SELECT FROM scheduler_connections WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [work.organization_id, connection_id],
  );
  if (await nextDue(work, connection_id)) return false;
  await letGo(work, connection_id, delivery_id, job_id);
  if (job_id !== null) await succeedJob(work, job_id, { calendars });
  return true;
}

/** Gives a connection free for the next run; the job that somebody follows is this run's. */
export async function letGo(
  work: Work,
  connection_id: string,
  delivery_id: string,
  job_id: string | null,
): Promise<void> {
  await work.connection.query(
    `UPDATE scheduler_connections
        SET sync_delivery_id = NULLIF(sync_delivery_id, $3), sync_job_id = NULLIF(sync_job_id, $4)
      WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, connection_id, delivery_id, job_id ?? ''],
  );
}

/** The same before another try of this delivery, which then asks anew: others may run in between. */
export async function pauseRun(
  work: Work,
  connection_id: string,
  { delivery_id, job_id }: { delivery_id: string; job_id: string | null },
): Promise<void> {
  await work.connection.query(
    `UPDATE scheduler_connections
        SET sync_delivery_id = NULLIF(sync_delivery_id, $3), sync_is_queued = sync_is_queued OR $4
      WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, connection_id, delivery_id, job_id === null],
  );
}

/** Ends a run that came to nothing: what is due waits for the next time, or for as many milliseconds as its provider says. */
export async function failRun(
  work: Work,
  connection_id: string,
  {
    delivery_id,
    job_id,
    error,
    retry_after = null,
  }: {
    delivery_id: string;
    job_id: string | null;
    error: { code: string; message: string };
    retry_after?: number | null;
  },
): Promise<void> {
  const wait = Math.max(INTERVAL, retry_after ?? 0);
  await letGo(work, connection_id, delivery_id, job_id);
  await forgetRead(work, connection_id);
  await work.connection.query(
    `UPDATE scheduler_calendars SET next_sync_at = $3
      WHERE organization_id = $1 AND connection_id = $2 AND checks_conflicts`,
    [work.organization_id, connection_id, new Date(work.now.getTime() + wait).toISOString()],
  );
  if (job_id !== null) await failJob(work, job_id, error);
}

/** Forgets what was read by a run that came to no end: the calendar may have been disconnected meanwhile. */
async function forgetRead(work: Work, connection_id: string): Promise<void> {
  await work.connection.query(
    'DELETE FROM scheduler_read_events WHERE organization_id = $1 AND connection_id = $2',
    [work.organization_id, connection_id],
  );
}
