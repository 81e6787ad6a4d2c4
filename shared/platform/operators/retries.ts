import type { Connection } from '../../kernel/connection.ts';

/** A job whose last try failed and that is tried again, or is just being tried. */
export type Retry = {
  organization_id: string;
  id: string;
  queue: string;
  name: string;
  /** How many tries have failed. */
  attempts: number;
  /** When it is tried next; null while it is. */
  due_at: string | null;
  error: string;
};

/** The first of the jobs that are tried again, by the time of their next try. */
export function retriesByTime(connection: Connection, limit: number): Promise<Retry[]> {
  return connection.query<Retry>(
    `SELECT organization_id, id, queue, name, attempts, CASE WHEN handed_over_at IS NULL THEN due_at END AS due_at, error
     FROM outbox WHERE error IS NOT NULL AND failed_at IS NULL ORDER BY outbox.due_at LIMIT $1`,
    [limit],
  );
}
