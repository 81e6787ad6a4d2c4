import type { Knex } from 'knex';
import { Failure } from '../kernel/failure.ts';
import { isId } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import type { Page, Window } from '../kernel/window.ts';
import { type SortKey, stretchesAfter } from './keyset.ts';
import { rowsByUpdatedAt } from './list-by-updated-at.ts';
import { countOf, ordered, run } from './list-statements.ts';
import { isWithinTimes, narrowed } from './narrowed.ts';
import { type Counted, rowCount } from './row-counts.ts';
import type { SearchTerm } from './search-term.ts';
import { matching, type Searched, searchCounted, searchRows } from './searched-rows.ts';
import { FIRST } from './walked-search.ts';

/** A sort field's column; `nullable` columns sort their NULLs as the largest, as PostgreSQL does. */
export type SortColumn = string | { column: string; nullable: true };

export type ListQuery = Searched & {
  /** The API's sort fields; `created_at` and `updated_at` are there for every list. */
  sorts?: Record<string, SortColumn>;
  /** Where `query` joins several rows to each one: the columns that order those, for what reads all of them. */
  then_by?: readonly string[];
  search?: SearchTerm | null;
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
  if (search && window.count) {
    const { rows, total } = await searchCounted<Row>(reader, filtered, keys, list, search);
    return pageFrom(rows, total, window);
  }
  const isByChange = window.updated_after !== null || window.updated_before !== null;
  const prepared = list.is_filtered === false && !search && !isByChange;
  const known = isWithinTimes(window) ? undefined : (list.total ?? totalOf(reader, list));
  const all = list.unordered ? narrowed(reader, { ...list, query: list.unordered }) : filtered;
  const count = known ?? (() => countOf(reader, all, prepared));
  const counting = window.count ? count() : Promise.resolve(-1);
  counting.catch(() => undefined);
  const cursor = await cursorRow(reader, keys, list);
  const stretches = cursor ? afterCursor(filtered, keys, list, cursor) : [filtered];
  const rows: Row[] = [];
  for (const from of stretches) {
    if (rows.length > window.limit) break;
    const rest = { ...list, window: { ...window, limit: window.limit - rows.length } };
    const found = search
      ? await searchRows<Row>(reader, from, keys, rest, search)
      : ((await changeRows<Row>(reader, from, keys, rest, cursor, prepared)) ??
        (await run<Row>(reader, ordered(from.clone().select(list.columns), keys, rest.window), prepared)));
    rows.push(...found);
  }
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
  // What never changes was last changed when it was made.
  const isByAge = window.sort.every(({ field }) => field === 'created_at' || all[field] === 'created_at');
  if (isByAge && window.sort.length <= 1) {
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
): Knex.QueryBuilder[] {
  return stretchesAfter(table, keys, cursor).map(({ text, values }) =>
    query.clone().whereRaw(text, values as Knex.RawBinding[]),
  );
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
