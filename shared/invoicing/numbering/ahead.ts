import { batcherPerKey } from '../../kernel/batch.ts';
import type { Work } from '../../kernel/work.ts';
import { formatNumber } from '../number-pattern.ts';
import { type Counter, FREE } from './counter.ts';
import { takeNumber } from './take.ts';

/** Counters among whose numbers some were given by hand, as this process has learned. */
const touched = new Set<string>();

/**
 * A number for a document that has one from its making. It leaves a hole where the document is not made after all; so
 * the counter is not locked until the work commits, and many documents are made at once. Those that wait for one of the
 * same counter share a statement. That a number was given by hand is found when the document is written: the work is run
 * again then, and numbers of that counter are looked up from there on. In a transaction that has begun it is taken as
 * any other.
 */
export async function numberAhead(work: Work, counter: Counter): Promise<string> {
  const key = JSON.stringify(counter);
  work.repeatOn('invoicing_documents_number_once', () => touched.add(key));
  if (work.connection.hasBegun()) return takeNumber(work, counter);
  return takeInBatches(work.connection.pool, key, { work, key, counter });
}

/** The first of those who wait for a number of one counter takes for all of them. */
const takeInBatches = batcherPerKey<{ work: Work; key: string; counter: Counter }, string>(
  (waiting) => {
    const { work, key, counter } = waiting[0]!;
    return touched.has(key) ? takeUnused(work, counter, waiting.length) : take(work, counter, waiting.length);
  },
  { start: 'idle', failure: 'first' },
);

/** So many numbers, one after the other, without a look at whether they are in use. */
async function take(work: Work, counter: Counter, count: number): Promise<string[]> {
  const [organization_id, kind, period, before, width, after] = counter;
  const [row] = await send<{ next: number }>(work, TAKE, [organization_id, kind, period, count]);
  const first = row!.next - count;
  return Array.from({ length: count }, (_, place) => formatNumber({ before, width, after }, first + place));
}

/** So many numbers that are not in use. */
async function takeUnused(work: Work, counter: Counter, count: number): Promise<string[]> {
  const [organization_id, kind] = counter;
  const numbers: string[] = [];
  while (numbers.length < count) {
    await send(work, PASS_OVER, counter);
    const taken = await take(work, counter, count - numbers.length);
    const used = await send<{ number: string }>(work, USED, [organization_id, kind, taken]);
    const inUse = new Set(used.map(({ number }) => number));
    numbers.push(...taken.filter((number) => !inUse.has(number)));
  }
  return numbers;
}

function send<Row extends object>(work: Work, text: string, values: readonly unknown[]): Promise<Row[]> {
  return work.connection.query<Row>(text, values, { alone: true });
}

// Not waited for to reach the disk: it does so no later than the document that has the number.
const TAKE = `
  WITH counted AS (
    INSERT INTO invoicing_counters AS counter (organization_id, kind, period, next) VALUES ($1, $2, $3, 1 + $4::int)
        ON CONFLICT (organization_id, kind, period) DO UPDATE SET next = counter.next + $4::int
    RETURNING next
  )
  SELECT next FROM set_config('synchronous_commit', 'off', true), counted`;

const USED = `
  SELECT number FROM invoicing_documents WHERE organization_id = $1 AND kind = $2 AND number = ANY ($3)`;

// Only forward: another process may have moved the counter meanwhile.
const PASS_OVER = `
  WITH RECURSIVE ${FREE}
  UPDATE invoicing_counters SET next = n
    FROM free
   WHERE organization_id = $1 AND kind = $2 AND period = $3 AND next < n`;
