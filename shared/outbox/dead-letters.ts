import { transaction } from '../db/transaction.ts';
import { requeueJobs } from '../jobs/operations.ts';
import type { Connection } from '../kernel/connection.ts';
import { factsOf, type Resource } from '../kernel/fact.ts';
import { operatorActor } from '../kernel/reader.ts';
import { Work } from '../kernel/work.ts';

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
    await eachOrganization(connection, { rows, now, request }, async (work, own) => {
      for (const row of own)
        work.record(deliveryFacts.updated, { before: shown(row, 'failed'), after: shown(row, 'queued') });
      const jobs = own.flatMap(({ job_id }) => job_id ?? []);
      if (jobs.length > 0) await requeueJobs(work, jobs);
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
    await eachOrganization(connection, { rows, now, request }, (work, own) => {
      for (const row of own)
        work.record(deliveryFacts.deleted, { before: shown(row, 'failed'), after: null });
    });
    await commit(Promise.resolve());
    return rows.length;
  });
}

/** Writes what an operator did where each organization's own log is, in one work an organization. */
async function eachOrganization(
  connection: Connection,
  { rows, now, request }: { rows: readonly Touched[]; now: Date; request: OperatorRequest },
  write: (work: Work, own: readonly Touched[]) => Promise<void> | void,
): Promise<void> {
  for (const [organization_id, own] of Map.groupBy(rows, (row) => row.organization_id)) {
    const work = new Work({ connection, organization_id, now, actor: operatorActor, ...request });
    await write(work, own);
    await work.finish();
  }
}
