import { transaction } from '../db/transaction.ts';
import { requeueJob } from '../jobs/operations.ts';
import type { Connection } from '../kernel/connection.ts';
import { factsOf, type Resource } from '../kernel/fact.ts';
import type { Queue } from '../kernel/job.ts';
import { operatorActor } from '../kernel/reader.ts';
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

/** The request of an operator, for the audit log. */
export type OperatorRequest = { request_id: string | null; ip_address: string | null };

const NO_REQUEST: OperatorRequest = { request_id: null, ip_address: null };

const deliveryFacts = factsOf({ domain: 'platform', entity_type: 'delivery' });

/** A delivery as the audit log shows it. */
function shown(
  { id, name }: Touched,
  status: 'failed' | 'queued',
): Resource & { name: string; status: string } {
  return { id, name, status };
}

type Touched = { organization_id: string; id: string; name: string; job_id: string | null };

/**
 * Has deliveries that were given up tried again as often as at first, and puts their job resources back to queued.
 * Answers how many; those that are retried or gone already are passed over.
 */
export async function retryDeliveries(
  connection: Connection,
  ids: readonly string[],
  now: Date,
  request = NO_REQUEST,
): Promise<number> {
  return transaction(connection, async (commit) => {
    const rows = await connection.query<Touched>(
      `UPDATE outbox SET failed_at = NULL, attempts = 0, starts = 0, due_at = NULL, handed_over_at = NULL,
         taken_by = NULL, error = NULL, retried_at = $2
       WHERE id = ANY($1) AND failed_at IS NOT NULL RETURNING organization_id, id, name, job_id`,
      [ids, now.toISOString()],
    );
    await eachOrganization(connection, { rows, now, request }, async (work, row) => {
      work.record(deliveryFacts.updated, { before: shown(row, 'failed'), after: shown(row, 'queued') });
      if (row.job_id !== null) await requeueJob(work, row.job_id);
    });
    const notified = connection.query("SELECT pg_notify('outbox', '')").then(() => undefined);
    await commit(notified);
    return rows.length;
  });
}

/** Removes deliveries that were given up; what they were to do stays undone. Answers how many. */
export async function discardDeliveries(
  connection: Connection,
  ids: readonly string[],
  now: Date,
  request = NO_REQUEST,
): Promise<number> {
  return transaction(connection, async (commit) => {
    const rows = await connection.query<Touched>(
      'DELETE FROM outbox WHERE id = ANY($1) AND failed_at IS NOT NULL RETURNING organization_id, id, name, job_id',
      [ids],
    );
    await eachOrganization(connection, { rows, now, request }, (work, row) =>
      work.record(deliveryFacts.deleted, { before: shown(row, 'failed'), after: null }),
    );
    await commit(Promise.resolve());
    return rows.length;
  });
}

/** Writes what an operator did where each organization's own log is, in one work an organization. */
async function eachOrganization(
  connection: Connection,
  { rows, now, request }: { rows: readonly Touched[]; now: Date; request: OperatorRequest },
  write: (work: Work, row: Touched) => Promise<void> | void,
): Promise<void> {
  for (const [organization_id, own] of Map.groupBy(rows, (row) => row.organization_id)) {
    const work = new Work({ connection, organization_id, now, actor: operatorActor, ...request });
    for (const row of own) await write(work, row);
    await work.finish();
  }
}
