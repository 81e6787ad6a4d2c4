import type { Work } from '../../kernel/work.ts';
import { type Counter, FREE, NUMBER } from './counter.ts';

/**
 * The next number of a counter, past those that were given by hand. The counter stays locked until the work commits, so
 * take it after all other locks; a work that is rolled back releases its number, which is why there are no holes.
 */
export async function takeNumber(work: Work, counter: Counter): Promise<string> {
  // The second statement begins when the first one has the lock, so it sees every number given until then.
  const [, [taken]] = await Promise.all([
    work.connection.query(LOCK, counter.slice(0, 3)),
    work.connection.query<{ number: string }>(TAKE, counter),
  ]);
  return taken!.number;
}

/**
 * Holds all counters of a counter's kind until the work commits: to be called, after all other locks, before a number is
 * given by hand, so that none is counted to meanwhile. The number may look like one of another period, so all are held,
 * in their order.
 */
export async function holdNumbers(work: Work, counter: Counter): Promise<void> {
  await Promise.all([
    work.connection.query(HOLD, counter.slice(0, 2)),
    work.connection.query(LOCK, counter.slice(0, 3)),
  ]);
}

const LOCK = `
  INSERT INTO invoicing_counters AS counter (organization_id, kind, period, next) VALUES ($1, $2, $3, 1)
      ON CONFLICT (organization_id, kind, period) DO UPDATE SET next = counter.next`;

const HOLD = `
  SELECT FROM invoicing_counters WHERE organization_id = $1 AND kind = $2 ORDER BY period FOR NO KEY UPDATE`;

const TAKE = `
  WITH RECURSIVE ${FREE}
  UPDATE invoicing_counters SET next = n + 1
    FROM free
   WHERE organization_id = $1 AND kind = $2 AND period = $3
  RETURNING ${NUMBER} AS number`;
