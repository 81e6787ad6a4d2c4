import type { Connection } from '../../kernel/connection.ts';

/** A table is looked at anew when it has so many times the pages that the planner knows of. */
const GROWN = 4;
/** Pages (8 kB each) below which no plan is worth it. */
const SMALL = 64;

/**
 * Has the planner look at tables that have grown far beyond what it knows of them; not inside a transaction. A table
 * that it takes for empty is read by any index, whole for every row that is looked up and for every reference that is
 * checked (measured: chunks of a second each until the server came to analyse it by itself).
 */
export async function refreshStatistics(connection: Connection, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  const grown = await connection.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE oid = ANY($1::regclass[]::oid[])
        AND pg_relation_size(oid) / current_setting('block_size')::integer > ${GROWN} * greatest(relpages, ${SMALL / GROWN})`,
    [tables],
  );
  if (grown.length === 0) return;
  const names = grown.map(({ name }) => `"${name}"`).join(', ');
  await connection.query(`ANALYZE ${names}`, [], { prepared: false });
}
