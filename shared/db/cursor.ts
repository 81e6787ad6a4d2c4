import type { Connection } from '../kernel/connection.ts';

/** Rows that travel together. */
const BATCH = 1_000;

/**
 * The rows of a query one by one, a thousand of them in memory. The connection has a transaction under way and reads one
 * cursor at a time.
 */
export async function* cursorRows<Row extends object>(
  { query }: Connection,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Row, void, void> {
  await query(`DECLARE report_rows NO SCROLL CURSOR FOR ${text}`, values, { prepared: false });
  for (;;) {
    const rows = await query<Row>(`FETCH ${BATCH} FROM report_rows`, [], { prepared: false });
    yield* rows;
    if (rows.length < BATCH) break;
  }
  await query('CLOSE report_rows', [], { prepared: false });
}

/** The rows of a query that are few enough to be in memory together. */
export async function* rowsAtOnce<Row extends object>(
  { query }: Connection,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Row, void, void> {
  yield* await query<Row>(text, values, { prepared: false });
}
