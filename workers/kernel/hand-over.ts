import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { type Queue, queues } from '../../shared/kernel/job.ts';
import type { Backend } from './backend.ts';

/** The queues for which the outbox holds rows that are not handed over: one cheap look before anything is locked. */
export function queuesWithWaiting(database: Database): Promise<Set<string>> {
  return database.withConnection(EVERY_ORGANIZATION, async (connection) => {
    const rows = await connection.query<{ queue: string }>(
      `SELECT queue FROM unnest($1::text[]) AS queue WHERE EXISTS (
         SELECT FROM outbox WHERE outbox.queue = queue.queue AND handed_over_at IS NULL AND failed_at IS NULL)`,
      [queues],
    );
    return new Set(rows.map((row) => row.queue));
  });
}

type Row = { organization_id: string; id: string; name: string };

/** The most rows that one transaction hands over. */
const BATCH = 500;

/**
 * Hands waiting rows of the outbox over to their queue, oldest first, as long as fewer than `in_flight` of the same
 * organization are in that queue. Answers how many. One process at a time for a queue, so that the count holds.
 *
 * The ticket is put before the commit: whoever dies between the two leaves rows that look waiting still, and the
 * next one puts the same tickets again, which changes nothing, as they carry the row's ID.
 */
export async function handOver(
  database: Database,
  backend: Backend,
  { queue, in_flight, now }: { queue: Queue; in_flight: number; now: Date },
): Promise<number> {
  return alone(database, queue, async (connection) => {
    const rows = await connection.query<Row>(WAITING, [queue, now.toISOString(), in_flight, BATCH]);
    await put(connection, backend, queue, rows, now);
    return rows.length;
  });
}

/**
 * Puts tickets again for rows handed over before `before` and not settled: a Redis that was emptied, or a process
 * that died between taking a ticket and writing its outcome, has lost them. Those that are in the queue still, or
 * are being worked on, stay as they are. Answers how many rows were looked at.
 */
export async function handOverAgain(
  database: Database,
  backend: Backend,
  { queue, before, now }: { queue: Queue; before: Date; now: Date },
): Promise<number> {
  return alone(database, queue, async (connection) => {
    const rows = await connection.query<Row>(OVERDUE, [queue, before.toISOString(), BATCH]);
    await put(connection, backend, queue, rows, now);
    return rows.length;
  });
}

/** Each organization that has something waiting (one step in the index for each), and its oldest due rows. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    (SELECT organization_id FROM outbox
     WHERE queue = $1 AND handed_over_at IS NULL AND failed_at IS NULL ORDER BY organization_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.organization_id FROM outbox o
            WHERE o.queue = $1 AND o.handed_over_at IS NULL AND o.failed_at IS NULL
              AND o.organization_id > waiting.organization_id
            ORDER BY o.organization_id LIMIT 1)
    FROM waiting WHERE waiting.organization_id IS NOT NULL
  )
  SELECT picked.organization_id, picked.id, picked.name
  FROM waiting
  CROSS JOIN LATERAL (
    SELECT count(*) AS count FROM outbox o
    WHERE o.queue = $1 AND o.organization_id = waiting.organization_id
      AND o.handed_over_at IS NOT NULL AND o.failed_at IS NULL
  ) busy
  CROSS JOIN LATERAL (
    SELECT o.organization_id, o.id, o.name FROM outbox o
    WHERE o.queue = $1 AND o.organization_id = waiting.organization_id
      AND o.handed_over_at IS NULL AND o.failed_at IS NULL AND COALESCE(o.due_at, o.created_at) <= $2
    ORDER BY COALESCE(o.due_at, o.created_at), o.id
    LIMIT GREATEST($3 - busy.count, 0)
    FOR UPDATE SKIP LOCKED
  ) picked
  WHERE waiting.organization_id IS NOT NULL
  LIMIT $4`;

const OVERDUE = `
  SELECT organization_id, id, name FROM outbox
  WHERE queue = $1 AND handed_over_at < $2 AND failed_at IS NULL
  ORDER BY handed_over_at LIMIT $3 FOR UPDATE SKIP LOCKED`;

function alone(
  database: Database,
  queue: Queue,
  run: (connection: Connection) => Promise<number>,
): Promise<number> {
  return database.withConnection(EVERY_ORGANIZATION, (connection) =>
    transaction(connection, async (commit) => {
      await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`outbox:${queue}`]);
      const count = await run(connection);
      await commit(Promise.resolve());
      return count;
    }),
  );
}

async function put(
  connection: Connection,
  backend: Backend,
  queue: Queue,
  rows: readonly Row[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await connection.query(
    `UPDATE outbox SET handed_over_at = $3
     FROM unnest($1::text[], $2::text[]) AS given (organization_id, id)
     WHERE outbox.organization_id = given.organization_id AND outbox.id = given.id`,
    [rows.map((row) => row.organization_id), rows.map((row) => row.id), now.toISOString()],
  );
  const tickets = rows.map(({ organization_id, id, name }) => ({
    name,
    data: { organization_id },
    opts: { jobId: id },
  }));
  await backend.queue(queue).addBulk(tickets);
}
