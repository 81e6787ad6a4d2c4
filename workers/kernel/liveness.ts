import { randomInt } from 'node:crypto';
import { livingNumbers, livenessLock as lockOf } from '../../shared/db/liveness.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import type { Handed } from './outbox.ts';

/** The first half of the locks that say which processes of workers are alive; the second is the process's number. */
const LIVING = 0x6a6f6273;

/** A number for this process; it stands in the rows that it claims. */
export function newProcessNumber(): number {
  return randomInt(1, 2 ** 31);
}

/**
 * The statement that says on a connection that its process is alive: when the process dies, the server drops the
 * connection and with it the lock. Shared, so that a process that connects again need not wait for its old session.
 */
export function livenessLock(process_number: number): string {
  return lockOf(LIVING, process_number);
}

/** A ticket that a process holds, whether it has claimed the delivery or not. */
export type HeldTicket = Handed & { process_number: number };

/** Of the processes that claimed deliveries or sweeps, or hold tickets, those whose liveness lock is not held. */
export async function missingProcesses(
  connection: Connection,
  tickets: readonly HeldTicket[],
): Promise<number[]> {
  const rows = await connection.query<{ process_number: number }>(
    `SELECT process_number FROM (
       SELECT taken_by FROM outbox WHERE handed_over_at IS NOT NULL AND failed_at IS NULL AND taken_by IS NOT NULL
       UNION SELECT taken_by FROM sweeps WHERE running_until IS NOT NULL AND taken_by IS NOT NULL
       UNION SELECT unnest($1::integer[])) AS known (process_number)
     WHERE process_number <> ALL(${livingNumbers(LIVING)})`,
    [tickets.map(({ process_number }) => process_number)],
  );
  return rows.map(({ process_number }) => process_number);
}

/**
 * Releases into the outbox what dead processes claimed or held tickets for; those are void. A row that its try has
 * locked is left for the next look: that try is about to commit or to roll back. Answers how many. */
export async function releaseJobsOf(
  connection: Connection,
  dead: readonly number[],
  tickets: readonly HeldTicket[],
): Promise<number> {
  const held = tickets.filter(({ process_number }) => dead.includes(process_number));
  const rows = await connection.query(
    `UPDATE outbox SET handed_over_at = NULL, taken_by = NULL, hand_overs = hand_overs + 1
     WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM outbox
       WHERE handed_over_at IS NOT NULL AND failed_at IS NULL AND (taken_by = ANY($1) OR taken_by IS NULL
         AND (organization_id, id, hand_overs) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::integer[])))
       FOR UPDATE SKIP LOCKED))
     RETURNING 1`,
    [
      dead,
      held.map((ticket) => ticket.organization_id),
      held.map((ticket) => ticket.delivery_id),
      held.map((ticket) => ticket.hand_over),
    ],
  );
  return rows.length;
}

/** Releases the sweeps that dead processes claimed: each runs when its time comes again. Answers their names. */
export async function releaseSweepsOf(connection: Connection, dead: readonly number[]): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(
    `UPDATE sweeps SET running_until = NULL, taken_by = NULL
     WHERE taken_by = ANY($1) AND running_until IS NOT NULL RETURNING name`,
    [dead],
  );
  return rows.map(({ name }) => name);
}

/**
 * Releases what this process claimed and does not run: the database was unavailable when it had to write the outcome.
 * `held` is asked after the rows were read: what was claimed before is held or has ended by then. Answers how many.
 */
export async function releaseForgotten(
  connection: Connection,
  process_number: number,
  held: () => readonly string[],
): Promise<number> {
  const taken = await connection.query<{ id: string; starts: number }>(
    'SELECT id, starts FROM outbox WHERE taken_by = $1 AND handed_over_at IS NOT NULL AND failed_at IS NULL',
    [process_number],
  );
  const known = new Set(held());
  const forgotten = taken.filter(({ id }) => !known.has(id));
  if (forgotten.length === 0) return 0;
  const rows = await connection.query(
    `UPDATE outbox SET handed_over_at = NULL, taken_by = NULL, hand_overs = hand_overs + 1
     WHERE taken_by = $1 AND handed_over_at IS NOT NULL AND failed_at IS NULL
       AND (id, starts) IN (SELECT * FROM unnest($2::text[], $3::integer[])) RETURNING 1`,
    [process_number, forgotten.map(({ id }) => id), forgotten.map(({ starts }) => starts)],
  );
  return rows.length;
}
