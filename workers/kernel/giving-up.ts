import type { Logger } from 'pino';
import type { Database } from '../../shared/db/database.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { failJob } from '../../shared/platform/jobs/operations.ts';
import type { GivenUp, Handled } from './handler.ts';
import { SAME_START, type Start, valuesOf } from './outbox.ts';
import { inDelivery } from './settle.ts';

export type GivingUp = {
  database: Database;
  handled: Handled | undefined;
  payload: unknown;
  now: Date;
  log: Logger;
};

/**
 * Gives a delivery up for good: it stays with its reason until an operator retries or discards it, its job resource
 * fails, and its domain writes what it has to, all in one transaction. A hook that throws does not keep the delivery
 * alive: then only its writes are missing. Answers false, and writes nothing, where another try has begun.
 */
export async function giveUp(
  options: GivingUp,
  start: Start,
  { reason, told }: { reason: string; told: GivenUp },
): Promise<boolean> {
  const { handled, log } = options;
  const payload = handled?.job.payload.safeParse(options.payload);
  const hook = handled?.gaveUp;
  if (!hook || !payload?.success) return write(options, start, reason, told);
  try {
    return await write(options, start, reason, told, (work) => hook(payload.data, work, told));
  } catch (error) {
    log.error({ reason: String(error) }, 'A gaveUp hook failed; the job is given up without its changes');
    return write(options, start, reason, told);
  }
}

function write(
  { database, now }: GivingUp,
  start: Start,
  reason: string,
  told: GivenUp,
  hook?: (work: Work) => Promise<void>,
): Promise<boolean> {
  return inDelivery(database, start, now, async (work) => {
    const [row] = await work.connection.query<{ job_id: string | null }>(
      `UPDATE outbox SET attempts = attempts + 1, failed_at = $6, error = $7, taken_by = NULL
       WHERE ${SAME_START} RETURNING job_id`,
      [...valuesOf(start), now.toISOString(), reason],
    );
    if (!row) return false;
    if (row.job_id) await failJob(work, row.job_id, told, now);
    // A hook that would fail the job too is to find it failed.
    await work.flush();
    await hook?.(work);
    return true;
  });
}

/** Runs the domain's hook once before the first try after an operator's retry. */
export async function afterRetry({ database, handled, payload, now }: GivingUp, start: Start): Promise<void> {
  const hook = handled?.retried;
  const parsed = handled?.job.payload.safeParse(payload);
  if (!hook || !parsed?.success) return;
  await inDelivery(database, start, now, async (work) => {
    const rows = await work.connection.query(
      `UPDATE outbox SET retried_at = NULL WHERE ${SAME_START} AND retried_at IS NOT NULL RETURNING 1`,
      valuesOf(start),
    );
    if (rows.length > 0) await hook(parsed.data, work);
  });
}
