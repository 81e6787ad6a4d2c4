import type { Work } from '../../kernel/work.ts';
import { numberParts, periodOf } from '../number-pattern.ts';
import { inBatches } from './batches.ts';
import { type NumberingSettings, numberingOf, takeNumber } from './take.ts';

/**
 * A number for a document that has one from its making. It leaves a hole where the document is not made after all; so
 * the counter is not locked until the work commits, and many documents are made at once. Those that wait for one of the
 * same counter share a statement. A number given by hand meanwhile is found when the document is written: the work is
 * run again then. In a transaction that has begun it is taken as any other.
 */
export async function numberAhead<Kind extends string>(
  work: Work,
  kind: Kind,
  issue_date: string,
  settings: NumberingSettings<Kind>,
): Promise<string> {
  work.repeatOn('invoicing_documents_number_once');
  if (work.connection.hasBegun()) return takeNumber(work, kind, issue_date, settings);
  const numbering = numberingOf(settings, kind);
  const { before, width, after } = numberParts(numbering, issue_date);
  const counter = [work.organization_id, kind, periodOf(issue_date, numbering), before, width, after];
  const take = (count: number) => takeNumbers(work, counter, count);
  return inBatches(work.connection.pool, JSON.stringify(counter), take);
}

/** So many numbers, one after the other but for those that are in use. */
async function takeNumbers(work: Work, counter: readonly unknown[], count: number): Promise<string[]> {
  const numbers: string[] = [];
  while (numbers.length < count) {
    const missing = count - numbers.length;
    const taken = await send<{ number: string; in_use: boolean }>(work, TAKE, [...counter, missing]);
    const free = taken.filter(({ in_use }) => !in_use);
    numbers.push(...free.map(({ number }) => number));
    if (free.length < missing) await send(work, PASS_OVER, counter);
  }
  return numbers;
}

function send<Row extends object>(work: Work, text: string, values: readonly unknown[]): Promise<Row[]> {
  return work.connection.query<Row>(text, values, { alone: true });
}

const NUMBER = `$4 || lpad(n::text, greatest($5::int, length(n::text)), '0') || $6`;

const IN_USE = `EXISTS (
  SELECT FROM invoicing_documents WHERE organization_id = $1 AND kind = $2 AND number = ${NUMBER})`;

// Not waited for to reach the disk: it does so no later than the document that has the number.
const TAKE = `
  WITH counted AS (
    INSERT INTO invoicing_counters AS counter (organization_id, kind, period, next) VALUES ($1, $2, $3, 1 + $7::int)
        ON CONFLICT (organization_id, kind, period) DO UPDATE SET next = counter.next + $7::int
    RETURNING next
  )
  SELECT ${NUMBER} AS number, ${IN_USE} AS in_use
    FROM set_config('synchronous_commit', 'off', true), counted,
         generate_series(counted.next - $7::int, counted.next - 1) AS n
   ORDER BY n`;

// Only forward: another process may have moved the counter meanwhile.
const PASS_OVER = `
  WITH RECURSIVE used (n) AS (
    SELECT next FROM invoicing_counters WHERE organization_id = $1 AND kind = $2 AND period = $3
     UNION ALL
    SELECT n + 1 FROM used WHERE ${IN_USE}
  )
  UPDATE invoicing_counters SET next = free.n FROM (SELECT max(n) AS n FROM used) AS free
   WHERE organization_id = $1 AND kind = $2 AND period = $3 AND next < free.n`;
