import type { Connection } from '../kernel/connection.ts';

/** Rows that travel together. */
const BATCH = 1_000;

/**
 * The rows of a query one by one, a thousand of them in memory. The connection has a transaction under way and reads one
 * cursor at a time.
 */
export async function* cursorRows<Row extends object>(
  connection: Connection,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Row, void, void> {
  for await (const rows of cursorBatches<Row>(connection, text, values, BATCH)) yield* rows;
}

/**
 * The rows of a query in batches of `size`, one of them in memory. The connection has a transaction under way and reads
 * one cursor at a time; other statements may run between two batches. A query that locks its rows locks them as they are
 * fetched, and must not find rows that this transaction changes before the last batch.
 */
export async function* cursorBatches<Row extends object>(
  { query }: Connection,
  text: string,
  values: readonly unknown[],
  size: number,
): AsyncGenerator<Row[], void, void> {
  const declared = query(`DECLARE batched_rows NO SCROLL CURSOR FOR ${text}`, values, UNPREPARED);
  // It travels with the first FETCH, which fails where it does.
  declared.catch(() => undefined);
  for (;;) {
    const fetched = query<Row>(`FETCH ${size} FROM batched_rows`, [], UNPREPARED);
    fetched.catch(() => undefined);
    await declared;
    const rows = await fetched;
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
  }
  await query('CLOSE batched_rows', [], UNPREPARED);
}

const UNPREPARED = { prepared: false } as const;

/** The rows of a query that are few enough to be in memory together. */
export async function* rowsAtOnce<Row extends object>(
  { query }: Connection,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Row, void, void> {
  yield* await query<Row>(text, values, { prepared: false });
}
