import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import { queueNames } from '../../shared/platform/queues.ts';
import type { Backend, NewTicket } from './backend.ts';
import { PLANNED } from './outbox.ts';

/**
 * The queues for which the outbox holds rows that are not dispatched, without those that an operator has paused: one
 * cheap look before anything is locked.
 */
export function queuesWithWaiting(database: Database): Promise<Set<string>> {
  return database.withConnection(EVERY_ORGANIZATION, async (connection) => {
    const rows = await connection.query<{ queue: string }>(
      `SELECT queue FROM unnest($1::text[]) AS queue WHERE EXISTS (
         SELECT FROM outbox WHERE outbox.queue = queue.queue AND handed_over_at IS NULL AND failed_at IS NULL)
       AND NOT EXISTS (SELECT FROM queue_pauses WHERE queue_pauses.queue = queue.queue)`,
      [queueNames],
    );
    return new Set(rows.map((row) => row.queue));
  });
}

type Row = NewTicket & { due_at: string };

/** The most rows that one transaction dispatches. */
export const BATCH = 500;

/** As many tickets as this are made before one stands for several: other processes are to have some too. */
const TICKETS = 8;

export type Dispatching = {
  queue: Queue;
  /** How many deliveries of one organization may be in the queue. */
  in_flight: number;
  /** How many deliveries one ticket may stand for. */
  together?: number | undefined;
  now: Date;
};

/**
 * Hands waiting rows of the outbox over to their queue, by priority and then the oldest first, as long as fewer than
 * `in_flight` of the same organization are in that queue. Answers how many. One process at a time for a queue, so
 * that the count holds.
 *
 * The ticket is put before the commit: whoever dies between the two leaves rows that look waiting still, and the
 * next one queues tickets for the same dispatch again: the first one claimed counts.
 */
export async function dispatch(
  database: Database,
  backend: Backend,
  { queue, in_flight, together = 1, now }: Dispatching,
): Promise<number> {
  return alone(database, queue, async (connection) => {
    const values = [queue, now.toISOString(), in_flight, BATCH];
    const rows = await connection.query<Row>(HAND_OVER, values, PLANNED);
    const size = Math.max(1, Math.min(together, Math.floor(rows.length / TICKETS)));
    await backend.put(queue, rows.sort(inOrder), size);
    return rows.length;
  });
}

/**
 * Queues tickets again for rows dispatched before `before` that no worker has claimed: a Redis that was emptied has lost
 * them. Those that are in the queue still stay as they are. Answers how many rows were looked at.
 */
export async function dispatchAgain(
  database: Database,
  backend: Backend,
  { queue, before, now }: { queue: Queue; before: Date; now: Date },
): Promise<number> {
  return alone(database, queue, async (connection) => {
    const values = [queue, before.toISOString(), now.toISOString(), BATCH];
    const rows = await connection.query<Row>(HAND_OVER_AGAIN, values, PLANNED);
    await backend.put(queue, rows.sort(inOrder));
    return rows.length;
  });
}

/**
 * Queues the tickets of all rows that were dispatched and not claimed, in whatever engine there is now. Answers how
 * many rows were looked at.
 */
export async function rebuild(database: Database, backend: Backend, now: Date): Promise<number> {
  let total = 0;
  for (const queue of queueNames) {
    for (;;) {
      const count = await dispatchAgain(database, backend, { queue, before: now, now });
      total += count;
      if (count < BATCH) break;
    }
  }
  return total;
}

function inOrder(left: Row, right: Row): number {
  if (left.priority !== right.priority) return left.priority - right.priority;
  if (left.due_at !== right.due_at) return left.due_at < right.due_at ? -1 : 1;
  return left.delivery_id < right.delivery_id ? -1 : 1;
}

const TICKET = `outbox.organization_id, outbox.id AS delivery_id, outbox.name, outbox.priority,
  outbox.hand_overs AS hand_over, COALESCE(outbox.due_at, outbox.created_at) AS due_at`;

/**
 * Each organization that has something waiting (one step in the index for each), and its first due rows. That the rows
 * wait still is asked in words that fit no index: by old counts the one of all that waits looks like a few rows.
 */
const HAND_OVER = `
  WITH RECURSIVE waiting AS (
    (SELECT organization_id FROM outbox
     WHERE queue = $1 AND handed_over_at IS NULL AND failed_at IS NULL ORDER BY organization_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.organization_id FROM outbox o
            WHERE o.queue = $1 AND o.handed_over_at IS NULL AND o.failed_at IS NULL
              AND o.organization_id > waiting.organization_id
            ORDER BY o.organization_id LIMIT 1)
    FROM waiting WHERE waiting.organization_id IS NOT NULL
  ), picked AS MATERIALIZED (
    SELECT first.ctid
    FROM waiting
    CROSS JOIN LATERAL (
      SELECT GREATEST($3 - count(*), 0) AS places FROM outbox o
      WHERE o.queue = $1 AND o.organization_id = waiting.organization_id
        AND o.handed_over_at IS NOT NULL AND o.failed_at IS NULL
    ) free
    CROSS JOIN LATERAL (
      SELECT due.ctid
      FROM (VALUES (1), (2), (3)) AS level (priority)
      CROSS JOIN LATERAL (
        SELECT o.ctid, o.id, COALESCE(o.due_at, o.created_at) AS due_at FROM outbox o
        WHERE o.queue = $1 AND o.organization_id = waiting.organization_id AND o.priority = level.priority
          AND o.handed_over_at IS NULL AND o.failed_at IS NULL AND COALESCE(o.due_at, o.created_at) <= $2
        ORDER BY COALESCE(o.due_at, o.created_at), o.id
        LIMIT free.places
      ) due
      ORDER BY level.priority, due.due_at, due.id
      LIMIT free.places
    ) first
    WHERE waiting.organization_id IS NOT NULL
    LIMIT $4
  )
  UPDATE outbox SET handed_over_at = $2, hand_overs = hand_overs + 1, taken_by = NULL
  WHERE ctid = ANY(ARRAY(SELECT ctid FROM picked)) AND COALESCE(handed_over_at, failed_at) IS NULL
  RETURNING ${TICKET}`;

const HAND_OVER_AGAIN = `
  UPDATE outbox SET handed_over_at = $3
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM outbox
    WHERE queue = $1 AND handed_over_at < $2 AND failed_at IS NULL AND taken_by IS NULL
    ORDER BY handed_over_at LIMIT $4 FOR UPDATE SKIP LOCKED))
  RETURNING ${TICKET}`;

function alone(
  database: Database,
  queue: Queue,
  run: (connection: Connection) => Promise<number>,
): Promise<number> {
  return database.withConnection(EVERY_ORGANIZATION, (connection) =>
    transaction(connection, async (commit) => {
      const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
      // Leaves together with the statement that comes next; where it fails, that one fails too.
      connection.query(lock, [`outbox:${queue}`]).catch(() => undefined);
      const count = await run(connection);
      await commit(Promise.resolve());
      return count;
    }),
  );
}
