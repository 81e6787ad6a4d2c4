import { transaction } from '../db/transaction.ts';
import { requeueJob } from '../jobs/operations.ts';
import type { Connection } from '../kernel/connection.ts';
import type { Queue } from '../kernel/job.ts';
import { systemActor } from '../kernel/reader.ts';
import { Work } from '../kernel/work.ts';

/** A delivery that was given up, with the last reason. */
export type FailedDelivery = {
  organization_id: string;
  id: string;
  queue: Queue;
  name: string;
  /** The job resource whose work it is, where there is one. */
  job_id: string | null;
  attempts: number;
  error: string | null;
  created_at: string;
  failed_at: string;
};

export type FailedFilters = { queue?: string; name?: string; organization_id?: string };

/** A window of the deliveries that were given up, the latest first, and how many there are in all. */
export async function failedDeliveries(
  connection: Connection,
  { queue, name, organization_id }: FailedFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: FailedDelivery[]; total: number }> {
  const condition = `failed_at IS NOT NULL AND ($1::text IS NULL OR queue = $1) AND ($2::text IS NULL OR name = $2)
    AND ($3::text IS NULL OR organization_id = $3)`;
  const values = [queue ?? null, name ?? null, organization_id ?? null];
  const rows = await connection.query<FailedDelivery>(
    `SELECT organization_id, id, queue, name, job_id, attempts, error, created_at, failed_at FROM outbox
     WHERE ${condition} ORDER BY failed_at DESC, id DESC LIMIT $4 OFFSET $5`,
    [...values, limit, offset],
  );
  const [count] = await connection.query<{ total: number }>(
    `SELECT count(*)::integer AS total FROM outbox WHERE ${condition}`,
    values,
  );
  return { rows, total: count?.total ?? 0 };
}

/**
 * Has deliveries that were given up tried again as often as at first, and puts their job resources back to queued.
 * Answers how many; those that are retried or gone already are passed over.
 */
export async function retryDeliveries(
  connection: Connection,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  return transaction(connection, async (commit) => {
    const rows = await connection.query<{ organization_id: string; id: string; job_id: string | null }>(
      `UPDATE outbox SET failed_at = NULL, attempts = 0, starts = 0, due_at = NULL, handed_over_at = NULL,
         taken_by = NULL, error = NULL, retried_at = $2
       WHERE id = ANY($1) AND failed_at IS NOT NULL RETURNING organization_id, id, job_id`,
      [ids, now.toISOString()],
    );
    for (const { organization_id, id, job_id } of rows) {
      if (job_id === null) continue;
      const who = { actor: systemActor, request_id: id, ip_address: null };
      const work = new Work({ connection, organization_id, now, ...who });
      work.nothingChanged();
      await requeueJob(work, job_id);
      await work.finish();
    }
    const notified = connection.query("SELECT pg_notify('outbox', '')").then(() => undefined);
    await commit(notified);
    return rows.length;
  });
}

/** Removes deliveries that were given up; what they were to do stays undone. Answers how many. */
export async function discardDeliveries(connection: Connection, ids: readonly string[]): Promise<number> {
  const rows = await connection.query(
    'DELETE FROM outbox WHERE id = ANY($1) AND failed_at IS NOT NULL RETURNING id',
    [ids],
  );
  return rows.length;
}
