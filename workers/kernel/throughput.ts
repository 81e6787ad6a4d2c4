import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import type { Outcome } from './attempt.ts';
import { warnOnceInAWhile } from './warn-once-in-a-while.ts';

export type Throughput = {
  count(queue: string, outcome: Outcome['kind']): void;
  end(): Promise<void>;
};

type Counts = { done: number; again: number; hopeless: number };

const EVERY = 5_000;

/**
 * Counts the outcomes of tries in this process and writes them to `queue_minutes` every few seconds: rates for
 * operators, without a write for each job. A process that is killed takes its last seconds along.
 */
export function countThroughput(database: Database, clock: () => Date, log: Logger): Throughput {
  let counts = new Map<string, Counts>();
  const warn = warnOnceInAWhile(
    (reason) => log.warn({ reason }, 'Cannot write the throughput of the queues'),
    clock,
  );
  const timer = setInterval(write, EVERY);

  async function write(): Promise<void> {
    if (counts.size === 0) return;
    const rows = [...counts];
    counts = new Map();
    const column = (name: keyof Counts) => rows.map(([, each]) => each[name]);
    const names = rows.map(([queue]) => queue);
    const values = [names, clock().toISOString(), column('done'), column('again'), column('hopeless')];
    await database
      .withConnection(EVERY_ORGANIZATION, ({ query }) => query(ADD, values))
      .catch((error) => warn(reasonOf(error)));
  }

  return {
    count: (queue, outcome) => {
      if (outcome === 'stopped' || outcome === 'overtaken' || outcome === 'postponed') return;
      const known = counts.get(queue) ?? { done: 0, again: 0, hopeless: 0 };
      known[outcome] += 1;
      counts.set(queue, known);
    },
    end: async () => {
      clearInterval(timer);
      await write();
    },
  };
}

const ADD = `
  INSERT INTO queue_minutes (queue, minute, done, again, given_up)
  SELECT queue, date_trunc('minute', $2::timestamptz), done, again, given_up
  FROM unnest($1::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS counted (queue, done, again, given_up)
  ORDER BY queue
  ON CONFLICT (queue, minute) DO UPDATE SET done = queue_minutes.done + excluded.done,
    again = queue_minutes.again + excluded.again, given_up = queue_minutes.given_up + excluded.given_up`;
