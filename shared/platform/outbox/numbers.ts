import type { Connection } from '../../kernel/connection.ts';
import { queueNames } from '../queues.ts';

/** One queue as operators see it. Ages are whole seconds, null when there is nothing. */
export type QueueNumbers = {
  queue: string;
  /** In the outbox, not dispatched yet: due or to be retried later. */
  waiting: number;
  /** Of those the ones that are to be tried again later. */
  later: number;
  /** Handed over, and not settled. */
  in_flight: number;
  /** Given up; kept for retry or discard. */
  failed: number;
  /** Age of the oldest job that is due or in flight. */
  oldest_seconds: number | null;
  /** How long the oldest due job has been waiting for its dispatch; null while the queue is paused. */
  lag_seconds: number | null;
  /** Ended well, a minute, over the last five whole minutes. */
  done_per_minute: number;
  /** Tries that failed, a minute, those among them that were the last included. */
  failed_per_minute: number;
};

/** The numbers of every queue, from the outbox: they are the same whichever engine carries the queues. */
export async function queueNumbers(connection: Connection, now: Date): Promise<QueueNumbers[]> {
  return connection.query<QueueNumbers>(
    `SELECT known.queue,
       count(o.id) FILTER (WHERE handed_over_at IS NULL AND failed_at IS NULL)::integer AS waiting,
       count(o.id) FILTER (
         WHERE handed_over_at IS NULL AND failed_at IS NULL AND COALESCE(due_at, created_at) > $2
       )::integer AS later,
       count(o.id) FILTER (WHERE handed_over_at IS NOT NULL AND failed_at IS NULL)::integer AS in_flight,
       count(o.id) FILTER (WHERE failed_at IS NOT NULL)::integer AS failed,
       extract(epoch FROM $2::timestamptz - min(created_at) FILTER (
         WHERE failed_at IS NULL AND (handed_over_at IS NOT NULL OR COALESCE(due_at, created_at) <= $2)
       ))::integer AS oldest_seconds,
       extract(epoch FROM $2::timestamptz - min(COALESCE(due_at, created_at)) FILTER (
         WHERE failed_at IS NULL AND handed_over_at IS NULL AND COALESCE(due_at, created_at) <= $2
           AND queue_pauses.queue IS NULL
       ))::integer AS lag_seconds,
       COALESCE(lately.done, 0)::float8 / 5 AS done_per_minute,
       COALESCE(lately.failed, 0)::float8 / 5 AS failed_per_minute
     FROM unnest($1::text[]) WITH ORDINALITY AS known (queue, place)
     LEFT JOIN outbox o ON o.queue = known.queue
     LEFT JOIN queue_pauses ON queue_pauses.queue = known.queue
     LEFT JOIN (
       SELECT queue, sum(done) AS done, sum(again + given_up) AS failed FROM queue_minutes
       WHERE minute >= date_trunc('minute', $2::timestamptz) - interval '5 minutes'
         AND minute < date_trunc('minute', $2::timestamptz)
       GROUP BY queue
     ) lately ON lately.queue = known.queue
     GROUP BY known.queue, known.place, lately.done, lately.failed ORDER BY known.place`,
    [queueNames, now.toISOString()],
  );
}
