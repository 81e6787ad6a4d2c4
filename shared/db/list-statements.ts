import type { Knex } from 'knex';
import type { Reader } from '../kernel/reader.ts';
import type { Window } from '../kernel/window.ts';
import { IN_TEXT, type SortKey } from './keyset.ts';

/** A window of rows in an order, and one row more, which tells whether there are others behind. */
export function ordered(query: Knex.QueryBuilder, keys: SortKey[], window: Window): Knex.QueryBuilder {
  for (const { column, direction } of keys) query.orderBy(column, direction);
  query.limit(window.limit + 1, IN_TEXT);
  return window.offset > 0 ? query.offset(window.offset) : query;
}

/** How many rows a query has. */
export async function countOf(reader: Reader, query: Knex.QueryBuilder, prepared = false): Promise<number> {
  const [row] = await run<{ total: number }>(reader, query.clone().count({ total: '*' }), prepared);
  return row!.total;
}

/** Runs a query; `prepared` where one plan fits all its values. */
export async function run<Row>(reader: Reader, query: Knex.QueryBuilder, prepared = false): Promise<Row[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return (await reader.connection.query(sql, bindings, { prepared })) as Row[];
}
