import type { Connection } from '../../kernel/connection.ts';

/** The outcomes of a queue's jobs in the last hour, minute by minute. */
export type QueueActivity = { done: number; again: number; given_up: number; minutes: number[] };

const MINUTES = 60;

/** The last hour of each queue in which something was tried. `minutes` holds those done, the oldest minute first. */
export async function queueActivity(connection: Connection, now: Date): Promise<Map<string, QueueActivity>> {
  const rows = await connection.query<{
    queue: string;
    ago: number;
    done: number;
    again: number;
    given_up: number;
  }>(
    `SELECT queue, floor(extract(epoch FROM $1::timestamptz - minute) / 60)::integer AS ago, done, again, given_up
     FROM queue_minutes WHERE minute > $1::timestamptz - interval '1 hour' AND minute <= $1`,
    [now.toISOString()],
  );
  const byQueue = Map.groupBy(rows, ({ queue }) => queue);
  return new Map(
    [...byQueue].map(([queue, own]) => {
      const minutes = new Array<number>(MINUTES).fill(0);
      for (const { ago, done } of own) minutes[MINUTES - 1 - ago] = Number(done);
      const sum = (field: 'done' | 'again' | 'given_up') =>
        own.reduce((total, row) => total + Number(row[field]), 0);
      return [queue, { done: sum('done'), again: sum('again'), given_up: sum('given_up'), minutes }];
    }),
  );
}
