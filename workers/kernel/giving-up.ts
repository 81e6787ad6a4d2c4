import type { Logger } from 'pino';
import type { Database } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { failJob } from '../../shared/jobs/operations.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import type { GivenUp, Handled } from './handler.ts';
import { SAME_START, type Start } from './outbox.ts';

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
 * alive: then only its writes are missing.
 */
export async function giveUp(
  options: GivingUp,
  start: Start,
  { reason, told }: { reason: string; told: GivenUp },
): Promise<void> {
  const { handled, log } = options;
  const payload = handled?.job.payload.safeParse(options.payload);
  const hook = handled?.gaveUp;
  if (!hook || !payload?.success) return write(options, start, reason, told, async () => {});
  try {
    await write(options, start, reason, told, (work) => hook(payload.data, work, told));
  } catch (error) {
    log.error({ reason: String(error) }, 'What a domain writes when its job is given up has failed');
    await write(options, start, reason, told, async () => {});
  }
}

function write(
  { database, now }: GivingUp,
  start: Start,
  reason: string,
  told: GivenUp,
  hook: (work: Work) => Promise<void>,
): Promise<void> {
  const { organization_id, delivery_id, starts, hand_overs } = start;
  return database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const [row] = await connection.query<{ job_id: string | null }>(
        `UPDATE outbox SET attempts = attempts + 1, failed_at = $5, error = $6, taken_by = NULL
         WHERE ${SAME_START} RETURNING job_id`,
        [organization_id, delivery_id, starts, hand_overs, now.toISOString(), reason],
      );
      if (!row) return;
      const work = workOf(connection, start, now);
      if (row.job_id) await failJob(work, row.job_id, told, now);
      // A hook that would fail the job too is to find it failed.
      await work.flush();
      await hook(work);
      await commit(work.finish());
    }),
  );
}

/** Runs the domain's hook once before the first try after an operator's retry. */
export async function afterRetry({ database, handled, payload, now }: GivingUp, start: Start): Promise<void> {
  const { organization_id, delivery_id } = start;
  const hook = handled?.retried;
  const parsed = handled?.job.payload.safeParse(payload);
  if (!hook || !parsed?.success) return;
  await database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const rows = await connection.query(
        `UPDATE outbox SET retried_at = NULL
         WHERE organization_id = $1 AND id = $2 AND retried_at IS NOT NULL RETURNING id`,
        [organization_id, delivery_id],
      );
      if (rows.length === 0) return;
      const work = workOf(connection, start, now);
      await hook(parsed.data, work);
      await commit(work.finish());
    }),
  );
}

function workOf(connection: Connection, { organization_id, delivery_id }: Start, now: Date): Work {
  const who = { actor: systemActor, request_id: delivery_id, ip_address: null };
  const work = new Work({ connection, organization_id, now, ...who });
  work.nothingChanged();
  return work;
}
