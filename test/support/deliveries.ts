import pino from 'pino';
import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import type { Delivery } from '../../workers/kernel/handler.ts';
import { newProcessNumber, releaseJobsOf } from '../../workers/kernel/liveness.ts';
import { openOutbox, type Start } from '../../workers/kernel/outbox.ts';
import { commitPart, fence, settle } from '../../workers/kernel/settle.ts';

/** A delivery as a process of workers has it in hand. */
export type Taken = Delivery & { start: Start };

export type TakingOptions = {
  database: Database;
  clock?: () => Date;
  /** Called before each transaction of the try, with the number of those that there were before. */
  step?: (number: number) => Promise<void>;
};

/** Adds a row to the outbox for a job of the test's own; answers the delivery's ID. */
export async function askForDelivery(
  database: Database,
  { organization_id, queue, name }: { organization_id: string; queue: Queue; name: string },
): Promise<string> {
  const now = new Date();
  const id = newId('dlv', now);
  await database.withConnection('*', ({ query }) =>
    query(
      `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at) VALUES ($1, $2, $3, $4, '{}', $5)`,
      [organization_id, id, queue, name, now.toISOString()],
    ),
  );
  return id;
}

/** Hands a delivery over and takes it, as a process of workers that is its own. */
export async function takeDelivery(
  { database, clock = () => new Date(), step = async () => {} }: TakingOptions,
  delivery_id: string,
): Promise<Taken> {
  const [handed] = await database.withConnection('*', ({ query }) =>
    query<{ organization_id: string; hand_over: number }>(
      `UPDATE outbox SET handed_over_at = $2, hand_overs = hand_overs + 1 WHERE id = $1
       RETURNING organization_id, hand_overs AS hand_over`,
      [delivery_id, clock().toISOString()],
    ),
  );
  const { organization_id, hand_over } = handed!;
  const process_number = newProcessNumber();
  const claimed = await openOutbox(database, process_number).claim({
    organization_id,
    delivery_id,
    hand_over,
    again: false,
  });
  const { starts, hand_overs, attempts } = claimed!;
  const start = { organization_id, delivery_id, starts, hand_overs, process_number };
  const { signal } = new AbortController();
  const settling = () => ({ database, start, now: clock(), signal });
  let steps = 0;
  return {
    database,
    organization_id,
    delivery_id,
    attempt: attempts + 1,
    is_last_attempt: false,
    start,
    signal,
    draining: signal,
    log: pino({ level: 'silent' }),
    clock,
    part: async (run) => {
      await step(steps++);
      await commitPart(settling(), run);
    },
    fence: async (connection) => {
      await step(steps++);
      await fence(connection, start);
    },
    settle: async (run) => {
      await step(steps++);
      await settle(settling(), run);
    },
  };
}

/** Takes the delivery of a job that the API was asked for, with its payload: for its handler to be called here. */
export async function takeJob<Payload>(
  options: TakingOptions,
  job_id: string,
): Promise<{ payload: Payload; delivery: Taken }> {
  const [asked] = await options.database.withConnection('*', ({ query }) =>
    query<{ id: string; payload: Payload }>('SELECT id, payload FROM outbox WHERE job_id = $1', [job_id]),
  );
  const { id, payload } = asked!;
  return { payload, delivery: await takeDelivery(options, id) };
}

/** Has the delivery released as if its process were dead. */
export async function release(database: Database, { start }: Pick<Taken, 'start'>): Promise<void> {
  await database.withConnection('*', (connection) => releaseJobsOf(connection, [start.process_number], []));
}

/** The rows of the outbox and the receipts that stand for a delivery. */
export async function standing(
  database: Database,
  delivery_id: string,
): Promise<{ rows: number; receipts: number }> {
  const [row] = await database.withConnection('*', ({ query }) =>
    query<{ rows: number; receipts: number }>(
      `SELECT (SELECT count(*)::integer FROM outbox WHERE id = $1) AS rows,
         (SELECT count(*)::integer FROM receipts WHERE delivery_id = $1) AS receipts`,
      [delivery_id],
    ),
  );
  return row!;
}
