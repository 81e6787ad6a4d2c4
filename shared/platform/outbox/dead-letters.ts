import { inWork } from '../../db/in-work.ts';
import type { Connection } from '../../kernel/connection.ts';
import { factsOf, type Resource } from '../../kernel/fact.ts';
import { NO_ORGANIZATION, operatorActor, type Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { requeueJobs } from '../jobs/operations.ts';

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
  return asOperator(connection, now, request, async (work) => {
    const rows = await connection.query<Touched>(
      `UPDATE outbox SET failed_at = NULL, attempts = 0, starts = 0, due_at = NULL, handed_over_at = NULL,
         taken_by = NULL, error = NULL, retried_at = $2
       WHERE id = ANY($1) AND failed_at IS NOT NULL RETURNING organization_id, id, name, job_id`,
      [ids, now.toISOString()],
    );
    for (const [own, inside] of eachOrganization(work, rows)) {
      for (const row of own)
        inside.record(deliveryFacts.updated, { before: shown(row, 'failed'), after: shown(row, 'queued') });
      const jobs = own.flatMap(({ job_id }) => job_id ?? []);
      if (jobs.length > 0) await requeueJobs(inside, jobs);
    }
    work.run("SELECT pg_notify('outbox', '')", []);
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
  return asOperator(connection, now, request, async (work) => {
    const rows = await connection.query<Touched>(
      'DELETE FROM outbox WHERE id = ANY($1) AND failed_at IS NOT NULL RETURNING organization_id, id, name, job_id',
      [ids],
    );
    for (const [own, inside] of eachOrganization(work, rows)) {
      for (const row of own)
        inside.record(deliveryFacts.deleted, { before: shown(row, 'failed'), after: null });
    }
    return rows.length;
  });
}

/** Opens the work of an operator, who acts for no organization: what is done in each is written on its behalf. */
function asOperator<T>(
  connection: Connection,
  now: Date,
  request: OperatorRequest,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  const reader: Reader = {
    connection,
    organization_id: NO_ORGANIZATION,
    actor: operatorActor,
    now,
    ...request,
  };
  return inWork(reader, run, { may_change_nothing: true });
}

/** The rows of each organization, with a work that writes into that organization's own log. */
function eachOrganization(work: Work, rows: readonly Touched[]): [Touched[], Work][] {
  const groups = Map.groupBy(rows, (row) => row.organization_id);
  return [...groups].map(([organization_id, own]) => [own, work.inOrganization(organization_id)]);
}
