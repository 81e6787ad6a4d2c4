import type { Knex } from 'knex';
import { Failure } from '../kernel/failure.ts';
import { isId } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import type { Page, Window } from '../kernel/window.ts';
import { afterRow, type Condition, IN_TEXT, type SortKey } from './keyset.ts';
import { rowsByUpdatedAt } from './list-by-updated-at.ts';
import { isWithinTimes, type Narrowing, narrowed } from './narrowed.ts';
import { type Counted, rowCount } from './row-counts.ts';
import { hasTerm, hasText, type SearchTerm } from './search-term.ts';
import { FIRST, isCommon, isCovered, isWalked, NEAR, type Walk, walkedRows } from './walked-search.ts';

/** A sort field's column; `nullable` columns sort their NULLs as the largest, as PostgreSQL does. */
export type SortColumn = string | { column: string; nullable: true };

type Found = Narrowing & Walk;

export type ListQuery = Found & {
  columns: readonly string[];
  /** The API's sort fields; `created_at` and `updated_at` are there for every list. */
  sorts?: Record<string, SortColumn>;
  /** Where `query` joins several rows to each one: the columns that order those, for what reads all of them. */
  then_by?: readonly string[];
  search?: SearchTerm | null;
  /**
   * For a table whose letters stand beside it: SQL for the IDs of rows that may match a term, some more than once,
   * some that do not match; absent where the table has `search_grams`.
   */
  candidates?: (term: SearchTerm) => Condition;
  /**
   * False where `query` holds nothing but the organization: one plan then fits all, and is kept. Which index serves a
   * filter depends on how frequent its value is, so a filtered list is planned anew each time.
   */
  is_filtered?: boolean;
  /** The rows of `query` where that reads them in an order, which counting them would pay for. */
  unordered?: Knex.QueryBuilder;
  /** How many rows `query` has, where that is known without counting them. */
  total?: () => Promise<number>;
  /** The ledger's rows that `query` has while nothing is filtered. */
  counted?: Counted;
  /** For a table whose rows belong to no organization: `query` alone says which of them the reader may see. */
  across?: boolean;
};

/** Whether a list's filters leave anything out. */
export function isFiltered(filters: Record<string, unknown>): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/**
 * The rows of a window. Keyset underneath: a cursor's cost does not grow with depth. The newest-first order is that
 * of the primary key, since an ID begins with its `created_at`. Errors: `invalid_cursor`.
 */
export async function pageOf<Row extends { id: string }>(
  reader: Reader,
  list: ListQuery,
): Promise<Page<Row>> {
  const { window, search } = list;
  const keys = sortKeys(list);
  const filtered = narrowed(reader, list);
  if (search && window.count) return searchCounted<Row>(reader, filtered, keys, list, search);
  const isByChange = window.updated_after !== null || window.updated_before !== null;
  const prepared = list.is_filtered === false && !search && !isByChange;
  const known = isWithinTimes(window) ? undefined : (list.total ?? totalOf(reader, list));
  const all = list.unordered ? narrowed(reader, { ...list, query: list.unordered }) : filtered;
  const count = known ?? (() => countOf(reader, all, prepared));
  const counting = window.count ? count() : Promise.resolve(-1);
  counting.catch(() => undefined);
  const cursor = await cursorRow(reader, keys, list);
  const from = cursor ? afterCursor(filtered, keys, list, cursor) : filtered;
  const rows = search
    ? await searchRows<Row>(reader, from, keys, list, search)
    : ((await changeRows<Row>(reader, from, keys, list, cursor, prepared)) ??
      (await run<Row>(reader, ordered(from.clone().select(list.columns), keys, window), prepared)));
  return pageFrom(rows, await counting, window);
}

/** A list from its first row to its last, in its order, nothing selected yet: for what reads all of it. */
export function allRows(reader: Reader, list: ListQuery): Knex.QueryBuilder {
  const filtered = narrowed(reader, list);
  const rows = list.search ? matching(filtered, list, list.search) : filtered;
  for (const { column, direction } of sortKeys(list)) rows.orderBy(`${list.table}.${column}`, direction);
  for (const column of list.then_by ?? []) rows.orderBy(column);
  return rows;
}

/** What tells the total by the ledger, where its rows are the list's. */
function totalOf(reader: Reader, { counted, is_filtered }: ListQuery) {
  return counted && is_filtered === false ? () => rowCount(reader, counted) : undefined;
}

function pageFrom<Row>(rows: Row[], total: number, { limit }: Window): Page<Row> {
  const has_more = rows.length > limit;
  return { rows: has_more ? rows.slice(0, limit) : rows, total, has_more };
}

function sortKeys({ window, sorts = {}, prefix }: ListQuery): SortKey[] {
  const all: Record<string, SortColumn> = { created_at: 'created_at', updated_at: 'updated_at', ...sorts };
  const [first] = window.sort;
  if (window.sort.length === 0 || (first!.field === 'created_at' && window.sort.length === 1)) {
    const direction = first?.direction ?? 'desc';
    const id: SortKey = { column: 'id', direction, nullable: false };
    return typeof prefix === 'string' ? [id] : [{ column: 'created_at', direction, nullable: false }, id];
  }
  const keys = window.sort.map(({ field, direction }): SortKey => {
    const found = all[field];
    if (!found) throw new Error(`The list declares the sort field ${field} but has no column for it`);
    return typeof found === 'string'
      ? { column: found, direction, nullable: false }
      : { column: found.column, direction, nullable: true };
  });
  return [...keys, { column: 'id', direction: first!.direction, nullable: false }];
}

type CursorRow = Record<string, unknown>;

/** What the row of the cursor is sorted by, or null without a cursor. */
async function cursorRow(
  reader: Reader,
  keys: SortKey[],
  { query, window, table, prefix, across }: ListQuery,
): Promise<CursorRow | null> {
  const cursor = window.starting_after;
  if (cursor === null) return null;
  const prefixes = [prefix].flat();
  if (!prefixes.some((each) => isId(cursor, each))) {
    const named = prefixes.map((each) => `${each}_`);
    throw new Failure('invalid_cursor', {
      detail: {
        en: `starting_after must be an ID that begins with ${named.join(' or ')}`,
        ja: `starting_after には ${named.join(' または ')} で始まるIDを指定してください`,
      },
    });
  }
  if (keys.length === 1) return { id: cursor };
  const rows = across
    ? query.clone().where(`${table}.id`, cursor)
    : reader.connection.from(table).where({ organization_id: reader.organization_id, id: cursor });
  const [row] = await rows.select(keys.map(({ column }) => column));
  if (!row)
    throw new Failure('invalid_cursor', {
      detail: {
        en: `${cursor} is gone; start again from the first page`,
        ja: `${cursor} は削除されています。最初のページから取得し直してください`,
      },
    });
  return row;
}

function afterCursor(
  query: Knex.QueryBuilder,
  keys: SortKey[],
  { table }: ListQuery,
  cursor: CursorRow,
): Knex.QueryBuilder {
  const { text, values } = afterRow(table, keys, cursor);
  return query.clone().whereRaw(text, values as Knex.RawBinding[]);
}

/** The rows by their last change where a partial index serves that order; null for other orders and tables. */
async function changeRows<Row extends { id: string }>(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: ListQuery,
  cursor: CursorRow | null,
  prepared: boolean,
): Promise<Row[] | null> {
  const { offset, limit } = list.window;
  const isByChange = keys.length === 2 && keys[0]!.column === 'updated_at';
  const { prefix } = list;
  if (!list.indexes_changed_rows || typeof prefix !== 'string') return null;
  if (!isByChange || offset + limit >= FIRST) return null;
  const rows = await rowsByUpdatedAt<Row & { updated_at: string }>(
    from,
    {
      ...list,
      prefix,
      direction: keys[0]!.direction,
      size: offset + limit + 1,
      after: (cursor?.['updated_at'] as string | undefined) ?? null,
    },
    (query) => run(reader, query, prepared),
  );
  return rows.slice(offset);
}

function ordered(query: Knex.QueryBuilder, keys: SortKey[], window: Window): Knex.QueryBuilder {
  for (const { column, direction } of keys) query.orderBy(column, direction);
  query.limit(window.limit + 1, IN_TEXT);
  return window.offset > 0 ? query.offset(window.offset) : query;
}

/** Without a total: a frequent term is found among the first rows, only a rare one needs the index of letters. */
async function searchRows<Row>(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: ListQuery,
  term: SearchTerm,
): Promise<Row[]> {
  const { window, table, columns } = list;
  if (isCovered(keys, list) && !isWithinTimes(window)) {
    const near = await run<Row>(reader, walkedRows(reader, from, keys, list, term, NEAR));
    if (near.length > window.limit) return near;
    if (await isCommon(reader, list, term)) {
      return run<Row>(reader, walkedRows(reader, from, keys, list, term));
    }
    return run<Row>(reader, foundRows(reader, from, keys, list, term));
  }
  if (isWalked(keys, list) && window.offset + window.limit < FIRST) {
    const first = from.clone().select(`${table}.*`).limit(FIRST);
    for (const { column, direction } of keys) first.orderBy(column, direction);
    const query = reader.connection.from().from(first.as('first')).select(columns);
    whereHolds(query, hasText('search_text', term));
    const rows = await run<Row>(reader, ordered(query, keys, window));
    if (rows.length > window.limit) return rows;
  }
  return run<Row>(reader, foundRows(reader, from, keys, list, term));
}

/** With a total: all matches are read by the index of letters in any case, so one statement answers both. */
async function searchCounted<Row>(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: ListQuery,
  term: SearchTerm,
): Promise<Page<Row>> {
  const query = foundRows(reader, from, keys, list, term);
  query.select(reader.connection.from('found').count('*').as('rows_found'));
  const rows = await run<Row & { rows_found?: number }>(reader, query);
  const total =
    rows[0]?.rows_found ?? (list.window.offset === 0 ? 0 : await countOf(reader, matching(from, list, term)));
  for (const row of rows) delete row.rows_found;
  return pageFrom(rows as Row[], total, list.window);
}

/**
 * The matches are gathered first, without an order: so the planner never walks the primary key through every row of
 * the organization in the hope of filling a page.
 */
function foundRows(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: ListQuery,
  term: SearchTerm,
): Knex.QueryBuilder {
  const { window, table, columns } = list;
  const empty = () => reader.connection.from();
  const names = [...new Set(['id', ...keys.map(({ column }) => column)])];
  const found = matching(from, list, term).select(names.map((name) => `${table}.${name}`));
  if (columns.every((column) => names.includes(column))) {
    return ordered(empty().withMaterialized('found', found).from('found').select(columns), keys, window);
  }
  const rows = empty()
    .withMaterialized('found', found)
    .with('chosen', ordered(reader.connection.from('found').select('id'), keys, window))
    .from('chosen')
    .joinRaw(`JOIN "${table}" ON "${table}".organization_id = ? AND "${table}".id = chosen.id`, [
      reader.organization_id,
    ])
    .select(columns.map((column) => `${table}.${column}`));
  for (const { column, direction } of keys) rows.orderBy(`${table}.${column}`, direction);
  return rows;
}

function matching(from: Knex.QueryBuilder, list: ListQuery, term: SearchTerm): Knex.QueryBuilder {
  const { table, candidates } = list;
  if (candidates) {
    const { text, values } = candidates(term);
    // As an array they are read once and looked up one by one, whatever the planner knows of tables just filled.
    const named = from.clone().whereRaw(`"${table}".id = ANY (ARRAY(${text}))`, values as Knex.RawBinding[]);
    return whereHolds(named, hasText(`"${table}".search_text`, term));
  }
  return whereHolds(from.clone(), hasTerm(`"${table}".search_grams`, `"${table}".search_text`, term));
}

function whereHolds(query: Knex.QueryBuilder, { text, values }: Condition): Knex.QueryBuilder {
  return query.whereRaw(text, values as Knex.RawBinding[]);
}

async function countOf(reader: Reader, query: Knex.QueryBuilder, prepared = false): Promise<number> {
  const [row] = await run<{ total: number }>(reader, query.clone().count({ total: '*' }), prepared);
  return row!.total;
}

async function run<Row>(reader: Reader, query: Knex.QueryBuilder, prepared = false): Promise<Row[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return (await reader.connection.query(sql, bindings, { prepared })) as Row[];
}
