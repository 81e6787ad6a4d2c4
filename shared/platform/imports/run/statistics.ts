import type { Connection } from '../../../kernel/connection.ts';

/** A table is looked at anew when it has so many times the pages that the planner knows of. */
const GROWN = 4;
/** Pages (8 kB each) below which no plan is worth it. */
const SMALL = 64;
/** An organization of which the planner expects less than the first and that has the second has grown beyond it. */
const [FEW, MANY] = [10, 400];

/**
 * Has the planner look at tables that have grown far beyond what it knows of them, as a whole or for the organization;
 * not inside a transaction. A table that it takes for empty is read by any index, whole for every row that is looked up
 * and for every reference that is checked (measured: chunks of a second each until the server came to analyse it by
 * itself; the import of a second organization read 700 entries of the indexes a row). What `refresh` answers for is one
 * run: where a look leaves the organization unknown, as one of very many, another look would too.
 */
export function statisticsFor(connection: Connection, organization_id: string) {
  const known = new Set<string>();
  return {
    async refresh(tables: readonly string[]): Promise<void> {
      const grown = new Set(await grownTables(connection, tables));
      for (const table of tables) {
        if (known.has(table) || grown.has(table)) continue;
        const [expected, is_many] = await rowsOf(connection, table, organization_id);
        if (expected < FEW && !is_many) continue;
        known.add(table);
        if (expected < FEW) grown.add(table);
      }
      if (grown.size === 0) return;
      const names = [...grown].map((name) => `"${name}"`).join(', ');
      await connection.query(`ANALYZE ${names}`, [], { prepared: false });
    },
  };
}

async function grownTables(connection: Connection, tables: readonly string[]): Promise<string[]> {
  if (tables.length === 0) return [];
  const rows = await connection.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE oid = ANY($1::regclass[]::oid[])
        AND pg_relation_size(oid) / current_setting('block_size')::integer > ${GROWN} * greatest(relpages, ${SMALL / GROWN})`,
    [tables],
  );
  return rows.map(({ name }) => name);
}

/** How many rows of the organization the planner expects, and whether there are many. */
async function rowsOf(
  connection: Connection,
  table: string,
  organization_id: string,
): Promise<[expected: number, is_many: boolean]> {
  const [explained] = await connection.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT FROM "${table}" WHERE organization_id = $1`,
    [organization_id],
    { prepared: false },
  );
  const [counted] = await connection.query<{ is_many: boolean }>(
    `SELECT count(*) = ${MANY} AS is_many
       FROM (SELECT FROM "${table}" WHERE organization_id = $1 LIMIT ${MANY}) AS found`,
    [organization_id],
  );
  return [explained!['QUERY PLAN'][0].Plan['Plan Rows'], counted!.is_many];
}
