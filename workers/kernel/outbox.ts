import type { Connection } from '../../shared/kernel/connection.ts';

/** A row of the outbox as the one who takes it sees it. */
export type Claimed = {
  name: string;
  payload: unknown;
  attempts: number;
  starts: number;
  created_at: string;
};

/**
 * Takes a delivery: counts the start before anything is done, so that a job that kills its process is noticed.
 * Undefined when it is settled or given up already.
 */
export async function claim(
  connection: Connection,
  organization_id: string,
  id: string,
): Promise<Claimed | undefined> {
  const [claimed] = await connection.query<Claimed>(
    `UPDATE outbox SET starts = starts + 1 WHERE organization_id = $1 AND id = $2 AND failed_at IS NULL
     RETURNING name, payload, attempts, starts, created_at`,
    [organization_id, id],
  );
  return claimed;
}

/** A try failed: the relay hands the delivery over again when it is due. */
export async function postpone(
  connection: Connection,
  organization_id: string,
  id: string,
  { due_at, error }: { due_at: Date; error: string },
): Promise<void> {
  await connection.query(
    `UPDATE outbox SET attempts = attempts + 1, due_at = $3, error = $4, handed_over_at = NULL
     WHERE organization_id = $1 AND id = $2`,
    [organization_id, id, due_at.toISOString(), error],
  );
}

/** The delivery failed for good: it stays, with its reason, until an operator retries or discards it. */
export async function giveUp(
  connection: Connection,
  organization_id: string,
  id: string,
  { failed_at, error }: { failed_at: Date; error: string },
): Promise<void> {
  await connection.query(
    'UPDATE outbox SET attempts = attempts + 1, failed_at = $3, error = $4 WHERE organization_id = $1 AND id = $2',
    [organization_id, id, failed_at.toISOString(), error],
  );
}

/** The process ends before the job did: the start does not count. */
export async function uncount(connection: Connection, organization_id: string, id: string): Promise<void> {
  await connection.query('UPDATE outbox SET starts = starts - 1 WHERE organization_id = $1 AND id = $2', [
    organization_id,
    id,
  ]);
}
