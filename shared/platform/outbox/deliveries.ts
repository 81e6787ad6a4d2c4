import type { Connection } from '../../kernel/connection.ts';
import type { Queue } from '../../kernel/job.ts';
import type { JobStatus } from '../jobs/record.ts';

/**
 * The state of a delivery: failed, in its queue or with a worker, due and not dispatched, or to be retried later.
 */
export const deliveryStates = ['failed', 'running', 'due', 'later'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

export type Delivery = {
  organization_id: string;
  /** null for an organization that is gone, and for what belongs to none. */
  organization_name: string | null;
  id: string;
  queue: Queue;
  name: string;
  /** The job resource whose work it is, where there is one. */
  job_id: string | null;
  state: DeliveryState;
  priority: number;
  /** Tries that failed. */
  attempts: number;
  /** How often a worker began it. */
  starts: number;
  error: string | null;
  created_at: string;
  due_at: string | null;
  handed_over_at: string | null;
  failed_at: string | null;
};

export type DeliveryFilters = {
  state: DeliveryState;
  queue?: string | undefined;
  name?: string | undefined;
  organization_id?: string | undefined;
  /** Part of the reason. */
  error?: string | undefined;
};

const COLUMNS = `o.organization_id, organizations.name AS organization_name, o.id, o.queue, o.name, o.job_id,
  o.priority, o.attempts, o.starts, o.error, o.created_at, o.due_at, o.handed_over_at, o.failed_at`;

const STATES: Record<DeliveryState, string> = {
  failed: 'o.failed_at IS NOT NULL',
  running: 'o.failed_at IS NULL AND o.handed_over_at IS NOT NULL',
  due: 'o.failed_at IS NULL AND o.handed_over_at IS NULL AND COALESCE(o.due_at, o.created_at) <= $1',
  later: 'o.failed_at IS NULL AND o.handed_over_at IS NULL AND COALESCE(o.due_at, o.created_at) > $1',
};

/** What an operator looks for first: the newest failure, otherwise what has waited longest. */
const ORDERS: Record<DeliveryState, string> = {
  failed: 'o.failed_at DESC, o.id DESC',
  running: 'o.handed_over_at, o.id',
  due: 'COALESCE(o.due_at, o.created_at), o.id',
  later: 'COALESCE(o.due_at, o.created_at), o.id',
};

type Window = { limit: number; offset: number; now: Date };

/** A window of the deliveries of all organizations in one state, and how many there are in all. */
export async function deliveryPage(
  connection: Connection,
  filters: DeliveryFilters,
  { limit, offset, now }: Window,
): Promise<{ rows: Delivery[]; total: number }> {
  const { state } = filters;
  const { condition, values } = conditionOf(filters, now);
  const rows = await connection.query<Omit<Delivery, 'state'>>(
    `SELECT ${COLUMNS} FROM outbox o LEFT JOIN organizations ON organizations.id = o.organization_id
     WHERE ${condition} ORDER BY ${ORDERS[state]} LIMIT $6 OFFSET $7`,
    [...values, limit, offset],
    { prepared: false },
  );
  const [count] = await connection.query<{ total: number }>(
    `SELECT count(*)::integer AS total FROM outbox o WHERE ${condition}`,
    values,
    { prepared: false },
  );
  return { rows: rows.map((row) => ({ ...row, state })), total: count?.total ?? 0 };
}

/** The IDs of the deliveries that a filter finds, the newest failure first. */
export async function deliveryIds(
  connection: Connection,
  filters: DeliveryFilters,
  { limit, now }: { limit: number; now: Date },
): Promise<string[]> {
  const { condition, values } = conditionOf(filters, now);
  const rows = await connection.query<{ id: string }>(
    `SELECT o.id FROM outbox o WHERE ${condition} ORDER BY ${ORDERS[filters.state]} LIMIT $6`,
    [...values, limit],
    { prepared: false },
  );
  return rows.map(({ id }) => id);
}

/** Those of the named deliveries that were given up, in the order of their names. */
export async function deliveriesGivenUp(connection: Connection, ids: readonly string[]): Promise<Delivery[]> {
  const rows = await connection.query<Omit<Delivery, 'state'>>(
    `SELECT ${COLUMNS} FROM outbox o LEFT JOIN organizations ON organizations.id = o.organization_id
     WHERE o.id = ANY($1) AND ${STATES.failed} ORDER BY array_position($1::text[], o.id)`,
    [ids],
  );
  return rows.map((row) => ({ ...row, state: 'failed' }));
}

/** The names of the jobs that stand in the outbox, for a choice among them. */
export async function deliveryNames(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ name: string }>('SELECT DISTINCT name FROM outbox ORDER BY name');
  return rows.map(({ name }) => name);
}

/** One delivery with its payload (IDs alone) and the job that waits for it; null when it is done or discarded. */
export async function deliveryById(
  connection: Connection,
  { organization_id, id }: { organization_id: string; id: string },
  now: Date,
): Promise<(Delivery & { payload: unknown; job_kind: string | null; job_status: JobStatus | null }) | null> {
  const [row] = await connection.query<
    Delivery & { payload: unknown; job_kind: string | null; job_status: JobStatus | null }
  >(
    `SELECT ${COLUMNS}, o.payload, jobs.kind AS job_kind, jobs.status AS job_status,
       CASE WHEN ${STATES.failed} THEN 'failed' WHEN o.handed_over_at IS NOT NULL THEN 'running'
         WHEN COALESCE(o.due_at, o.created_at) <= $1 THEN 'due' ELSE 'later' END AS state
     FROM outbox o LEFT JOIN organizations ON organizations.id = o.organization_id
     LEFT JOIN jobs ON jobs.organization_id = o.organization_id AND jobs.id = o.job_id
     WHERE o.organization_id = $2 AND o.id = $3`,
    [now.toISOString(), organization_id, id],
  );
  return row ?? null;
}

function conditionOf({ state, queue, name, organization_id, error }: DeliveryFilters, now: Date) {
  const condition = `${STATES[state]} AND $1::timestamptz IS NOT NULL
    AND ($2::text IS NULL OR o.queue = $2) AND ($3::text IS NULL OR o.name = $3)
    AND ($4::text IS NULL OR o.organization_id = $4) AND ($5::text IS NULL OR strpos(lower(o.error), lower($5)) > 0)`;
  const values = [now.toISOString(), queue ?? null, name ?? null, organization_id ?? null, error ?? null];
  return { condition, values };
}
