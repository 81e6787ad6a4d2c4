import type { Knex } from 'knex';
import { Failure } from '../kernel/failure.ts';
import { firstIdOf, isId, type Prefix } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import type { Page, Window } from '../kernel/window.ts';
import { afterRow, type Condition, type SortKey } from './keyset.ts';

/** A search term, ready for the index: the numbers of its letters and pairs, and the pattern for the recheck. */
export type SearchTerm = { grams: readonly number[]; pattern: string };

/** A sort field's column; `nullable` columns sort their NULLs as the largest, as PostgreSQL does. */
export type SortColumn = string | { column: string; nullable: true };

export type ListQuery = {
  /** Rows of the reader's organization with the filters applied, nothing selected or ordered yet. */
  query: Knex.QueryBuilder;
  table: string;
  columns: readonly string[];
  prefix: Prefix;
  /** The API's sort fields; `created_at` and `updated_at` are there for every list. */
  sorts?: Record<string, SortColumn>;
  window: Window;
  search?: SearchTerm | null;
};

/** A frequent term fills a page from this many newest rows; only a rare one needs the index of letters. */
const NEWEST = 2_000;

/**
 * The rows of a window. Keyset underneath: a cursor's cost does not grow with depth. The newest-first order is that
 * of the primary key, since an ID begins with its `created_at`. Errors: `invalid_cursor`.
 */
export async function pageOf<Row extends { id: string }>(
  reader: Reader,
  list: ListQuery,
): Promise<Page<Row>> {
  const { window } = list;
  const keys = sortKeys(list);
  const filtered = withinTimes(list.query, list);
  const counting = window.count ? countOf(reader, filtered, list) : Promise.resolve(-1);
  counting.catch(() => undefined);
  const after = await afterCursor(reader, keys, list);
  const from = after ? filtered.clone().whereRaw(after.text, after.values as Knex.RawBinding[]) : filtered;
  const rows = list.search
    ? await searchRows<Row>(reader, from, keys, list, list.search)
    : await run<Row>(reader, ordered(from.clone().select(list.columns), keys, window));
  const has_more = rows.length > window.limit;
  return { rows: has_more ? rows.slice(0, window.limit) : rows, total: await counting, has_more };
}

function sortKeys({ window, sorts = {} }: ListQuery): SortKey[] {
  const all: Record<string, SortColumn> = { created_at: 'created_at', updated_at: 'updated_at', ...sorts };
  const [first] = window.sort;
  if (!first) return [{ column: 'id', direction: 'desc', nullable: false }];
  if (first.field === 'created_at' && window.sort.length === 1) {
    return [{ column: 'id', direction: first.direction, nullable: false }];
  }
  const keys = window.sort.map(({ field, direction }): SortKey => {
    const found = all[field];
    if (!found) throw new Error(`The list declares the sort field ${field} but has no column for it`);
    return typeof found === 'string'
      ? { column: found, direction, nullable: false }
      : { column: found.column, direction, nullable: true };
  });
  return [...keys, { column: 'id', direction: first.direction, nullable: false }];
}

function withinTimes(query: Knex.QueryBuilder, { window, table, prefix }: ListQuery): Knex.QueryBuilder {
  const result = query.clone();
  if (window.created_after)
    result.where(`${table}.id`, '>=', firstIdOf(prefix, new Date(window.created_after)));
  if (window.created_before)
    result.where(`${table}.id`, '<', firstIdOf(prefix, new Date(window.created_before)));
  return result;
}

/** The condition for rows after the cursor. (A query itself would be run when awaited.) */
async function afterCursor(
  reader: Reader,
  keys: SortKey[],
  { window, table, prefix }: ListQuery,
): Promise<Condition | null> {
  const cursor = window.starting_after;
  if (cursor === null) return null;
  if (!isId(cursor, prefix)) {
    throw new Failure('invalid_cursor', {
      detail: `starting_after must be an ID that begins with ${prefix}_`,
    });
  }
  if (keys.length === 1) return afterRow(table, keys, { id: cursor });
  const [row] = await reader.connection
    .knex(table)
    .where({ organization_id: reader.organization_id, id: cursor })
    .select(keys.map(({ column }) => column));
  if (!row)
    throw new Failure('invalid_cursor', { detail: `${cursor} is gone; start again from the first page` });
  return afterRow(table, keys, row);
}

function ordered(query: Knex.QueryBuilder, keys: SortKey[], window: Window, extra = 1): Knex.QueryBuilder {
  for (const { column, direction } of keys) query.orderBy(column, direction);
  query.limit(window.limit + extra);
  return window.offset > 0 ? query.offset(window.offset) : query;
}

async function searchRows<Row>(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: ListQuery,
  term: SearchTerm,
): Promise<Row[]> {
  const { window, table, columns } = list;
  const { knex } = reader.connection;
  const isNewestFirst = keys.length === 1 && keys[0]!.direction === 'desc';
  if (isNewestFirst && window.offset + window.limit < NEWEST) {
    const newest = from.clone().select(`${table}.*`).orderBy('id', 'desc').limit(NEWEST).as('newest');
    const query = knex.from(newest).whereLike('search_text', term.pattern).select(columns);
    const rows = await run<Row>(reader, ordered(query, keys, window));
    if (rows.length > window.limit) return rows;
  }
  const names = [...new Set(['id', ...keys.map(({ column }) => column)])];
  const found = matching(from.clone().select(names.map((name) => `${table}.${name}`)), table, term);
  const chosen = ordered(knex.from('found').select('id'), keys, window);
  const rows = knex
    .withMaterialized('found', found)
    .with('chosen', chosen)
    .from('chosen')
    .joinRaw(`JOIN "${table}" ON "${table}".organization_id = ? AND "${table}".id = chosen.id`, [
      reader.organization_id,
    ])
    .select(columns.map((column) => `${table}.${column}`));
  for (const { column, direction } of keys) rows.orderBy(`${table}.${column}`, direction);
  return run<Row>(reader, rows);
}

function matching(query: Knex.QueryBuilder, table: string, term: SearchTerm): Knex.QueryBuilder {
  query.whereRaw(`"${table}".search_grams @> ?::int4[]`, [[...term.grams]]);
  return query.whereLike(`${table}.search_text`, term.pattern);
}

async function countOf(
  reader: Reader,
  query: Knex.QueryBuilder,
  { search, table }: ListQuery,
): Promise<number> {
  const counted = query.clone().count({ total: '*' });
  if (search) matching(counted, table, search);
  const [row] = await run<{ total: number }>(reader, counted);
  return row!.total;
}

/** Runs a query planned for its values: which index is best depends on how frequent a term or filter is. */
async function run<Row>(reader: Reader, query: Knex.QueryBuilder): Promise<Row[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return (await reader.connection.query(sql, bindings, { prepared: false })) as Row[];
}
