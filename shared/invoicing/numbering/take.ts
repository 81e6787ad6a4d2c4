import type { Work } from '../../kernel/work.ts';
import { formatNumber } from '../number-pattern.ts';
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

/** So many numbers, one after the other, as `takeNumber` would give them. */
export async function takeNumbers(work: Work, counter: Counter, count: number): Promise<string[]> {
  const [organization_id, kind, period, before, width, after] = counter;
  const numbers: string[] = [];
  await work.connection.query(LOCK, counter.slice(0, 3));
  while (numbers.length < count) {
    const [row] = await work.connection.query<{ next: number }>(ADVANCE, [
      organization_id,
      kind,
      period,
      count - numbers.length,
    ]);
    const first = row!.next - (count - numbers.length);
    const some = Array.from({ length: row!.next - first }, (_, place) =>
      formatNumber({ before, width, after }, first + place),
    );
    const used = await work.connection.query<{ number: string }>(USED, [organization_id, kind, some]);
    const inUse = new Set(used.map(({ number }) => number));
    numbers.push(...some.filter((number) => !inUse.has(number)));
  }
  return numbers;
}

/**
 * Holds all counters of a counter's kind until the work commits: to be called, after all other locks, before a number is
 * given by hand, so that none is counted to meanwhile. The number may look like one of another period, so all are held,
 * in their order.
 */
export function holdNumbers(work: Work, counter: Counter): Promise<void> {
  return holdAllNumbers(work, [counter]);
}

/** The same where numbers of several periods of a kind are given by hand. */
export async function holdAllNumbers(work: Work, counters: readonly Counter[]): Promise<void> {
  const [[organization_id, kind]] = counters as [Counter];
  const periods = [...new Set(counters.map(([, , period]) => period))].sort();
  await Promise.all([
    work.connection.query(HOLD, [organization_id, kind]),
    work.connection.query(LOCK_ALL, [organization_id, kind, periods]),
  ]);
}

const LOCK = `
  INSERT INTO invoicing_counters AS counter (organization_id, kind, period, next) VALUES ($1, $2, $3, 1)
      ON CONFLICT (organization_id, kind, period) DO UPDATE SET next = counter.next`;

const LOCK_ALL = `
  INSERT INTO invoicing_counters AS counter (organization_id, kind, period, next)
  SELECT $1, $2, period, 1 FROM unnest($3::text[]) AS asked (period)
      ON CONFLICT (organization_id, kind, period) DO UPDATE SET next = counter.next`;

const HOLD = `
  SELECT FROM invoicing_counters WHERE organization_id = $1 AND kind = $2 ORDER BY period FOR NO KEY UPDATE`;

const TAKE = `
  WITH RECURSIVE ${FREE}
  UPDATE invoicing_counters SET next = n + 1
    FROM free
   WHERE organization_id = $1 AND kind = $2 AND period = $3
  RETURNING ${NUMBER} AS number`;

const ADVANCE = `
  UPDATE invoicing_counters SET next = next + $4::int
   WHERE organization_id = $1 AND kind = $2 AND period = $3
  RETURNING next`;

const USED = `
  SELECT number FROM invoicing_documents WHERE organization_id = $1 AND kind = $2 AND number = ANY ($3)`;
