import type { Connection } from '../kernel/connection.ts';
import { queues } from '../kernel/job.ts';

/** One queue as operators see it. Ages are whole seconds, null when there is nothing. */
export type QueueNumbers = {
  queue: string;
  /** In the outbox, not handed over yet: due or to be tried again later. */
  waiting: number;
  /** Handed over, and not settled. */
  in_flight: number;
  /** Given up; kept for retry or discard. */
  failed: number;
  /** Age of the oldest job that is due or in flight. */
  oldest_seconds: number | null;
  /** How long the oldest due job has been waiting to be handed over. */
  lag_seconds: number | null;
};

/** The numbers of every queue, from the outbox: they are the same whichever engine carries the queues. */
export async function queueNumbers(connection: Connection, now: Date): Promise<QueueNumbers[]> {
  return connection.query<QueueNumbers>(
    `SELECT known.queue,
       count(o.id) FILTER (WHERE handed_over_at IS NULL AND failed_at IS NULL)::integer AS waiting,
       count(o.id) FILTER (WHERE handed_over_at IS NOT NULL AND failed_at IS NULL)::integer AS in_flight,
       count(o.id) FILTER (WHERE failed_at IS NOT NULL)::integer AS failed,
       extract(epoch FROM $2::timestamptz - min(created_at) FILTER (
         WHERE failed_at IS NULL AND (handed_over_at IS NOT NULL OR COALESCE(due_at, created_at) <= $2)
       ))::integer AS oldest_seconds,
       extract(epoch FROM $2::timestamptz - min(COALESCE(due_at, created_at)) FILTER (
         WHERE failed_at IS NULL AND handed_over_at IS NULL AND COALESCE(due_at, created_at) <= $2
       ))::integer AS lag_seconds
     FROM unnest($1::text[]) WITH ORDINALITY AS known (queue, place)
     LEFT JOIN outbox o ON o.queue = known.queue
     GROUP BY known.queue, known.place ORDER BY known.place`,
    [queues, now.toISOString()],
  );
}
