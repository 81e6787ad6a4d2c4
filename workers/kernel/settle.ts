import type { Database } from '../../shared/db/database.ts';
import { inWork } from '../../shared/db/in-work.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { Overtaken } from './handler.ts';
import { PLANNED, SAME_START, type Start, valuesOf } from './outbox.ts';

export type Settling = {
  database: Database;
  start: Start;
  now: Date;
  /** Once aborted, nothing more is committed: the process ends, or the job exceeded its time limit. */
  signal: AbortSignal;
};

/**
 * Ends a delivery: the outbox row's removal, the receipt and `run`'s writes commit together. The row is removed first,
 * so that no other try can begin until this one has committed or rolled back. A delivery that has a receipt already is
 * removed without calling `run`. Answers whether `run` was called. Errors: `Overtaken`.
 */
export function settle(
  { database, start, now, signal }: Settling,
  run: (work: Work) => Promise<void>,
): Promise<boolean> {
  return inDelivery(database, start, now, async (work) => {
    signal.throwIfAborted();
    const values = [...valuesOf(start), now.toISOString()];
    const [ended] = await work.connection.query<Removal>(SETTLE, values, PLANNED);
    if (!ended!.is_mine) throw new Overtaken();
    if (ended!.is_first) await run(work);
    signal.throwIfAborted();
    return ended!.is_first;
  });
}

/**
 * A part of a long job that commits by itself, without a receipt: the part must say itself where it stands. Errors:
 * `Overtaken`.
 */
export function commitPart(
  { database, start, now, signal }: Settling,
  run: (work: Work) => Promise<void>,
): Promise<void> {
  return inDelivery(database, start, now, async (work) => {
    signal.throwIfAborted();
    await fenced(work.connection, start, () => run(work));
    signal.throwIfAborted();
  });
}

/** Opens the work of a delivery: the service itself acts, and nothing need change. */
export function inDelivery<T>(
  database: Database,
  { organization_id, delivery_id }: Pick<Start, 'organization_id' | 'delivery_id'>,
  now: Date,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  const who = { actor: systemActor, organization_id, request_id: delivery_id, ip_address: null };
  return database.withConnection(organization_id, (connection) =>
    inWork({ ...who, connection, now }, run, { may_change_nothing: true }),
  );
}

/**
 * Locks the row of a try until the transaction ends: who takes the delivery for another process waits meanwhile.
 * Errors: `Overtaken` where another try may have begun.
 */
export async function fence(connection: Connection, start: Start): Promise<void> {
  const text = `SELECT FROM outbox WHERE ${SAME_START} FOR UPDATE`;
  const rows = await connection.query(text, valuesOf(start), PLANNED);
  if (rows.length === 0) throw new Overtaken();
}

/** Runs `run` behind the fence, which travels with its first statement: what an overtaken try wrote is rolled back. */
async function fenced(connection: Connection, start: Start, run: () => Promise<void>): Promise<void> {
  const standing = fence(connection, start);
  standing.catch(() => undefined);
  try {
    await run();
  } finally {
    await standing;
  }
}

type Removal = { is_mine: boolean; is_first: boolean };

const SETTLE = `
  WITH removed AS (
    DELETE FROM outbox WHERE ${SAME_START} RETURNING organization_id, id
  ), noted AS (
    INSERT INTO receipts (organization_id, delivery_id, settled_at)
    SELECT organization_id, id, $6::timestamptz FROM removed ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT EXISTS (SELECT FROM removed) AS is_mine, EXISTS (SELECT FROM noted) AS is_first`;
