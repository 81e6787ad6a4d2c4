import type { Knex } from 'knex';
import type { Reader } from '../kernel/reader.ts';
import type { Condition, SortKey } from './keyset.ts';
import { countOf, ordered, run } from './list-statements.ts';
import { isWithinTimes, type Narrowing } from './narrowed.ts';
import { expectingFew, hasLetters, hasText, isToldByLetters, type SearchTerm } from './search-term.ts';
import {
  FIRST,
  isCommon,
  isCovered,
  isWalked,
  NEAR,
  type Walk,
  walkedCount,
  walkedRows,
} from './walked-search.ts';

/** A list whose rows are searched. */
export type Searched = Narrowing &
  Walk & {
    columns: readonly string[];
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
  };

/** Rows of a window, one more where others stand behind, and how many there are in all. */
type Counted<Row> = { rows: Row[]; total: number };

/** Without a total: a frequent term is found among the first rows, only a rare one needs the index of letters. */
export async function searchRows<Row>(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: Searched,
  term: SearchTerm,
): Promise<Row[]> {
  const rows = await rowsInFront<Row>(reader, from, keys, list, term);
  return rows ?? run<Row>(reader, foundRows(reader, from, keys, list, term), isPlannedOnce(list));
}

/**
 * The rows of a term as far as an index in their order finds them; null where the index of letters does so faster. `common`: whether
 * the term is common, where that is known already.
 */
async function rowsInFront<Row>(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: Searched,
  term: SearchTerm,
  common?: boolean,
): Promise<Row[] | null> {
  const { window, table, columns } = list;
  if (isCovered(keys, list) && !isWithinTimes(window)) {
    const near = await run<Row>(reader, walkedRows(reader, from, keys, list, term, NEAR));
    if (near.length > window.limit) return near;
    if (!(common ?? (await isCommon(reader, list, term)))) return null;
    return run<Row>(reader, walkedRows(reader, from, keys, list, term));
  }
  if (isWalked(keys, list) && window.offset + window.limit < FIRST) {
    const first = from.clone().select(`${table}.*`).limit(FIRST);
    for (const { column, direction } of keys) first.orderBy(column, direction);
    const query = reader.connection.from().from(first.as('first')).select(columns);
    whereHolds(query, hasText('search_text', term));
    const rows = await run<Row>(reader, ordered(query, keys, window));
    if (rows.length > window.limit) return rows;
  }
  return null;
}

/**
 * With a total. A common term is counted in a covering index, of which an entry costs a thirtieth of a visit to a row. All matches
 * of another one are read by the index of letters in any case, so one statement answers both.
 */
export async function searchCounted<Row>(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: Searched,
  term: SearchTerm,
): Promise<Counted<Row>> {
  const { covered = [], window } = list;
  if (covered.length > 0 && !isWithinTimes(window) && (await isCommon(reader, list, term))) {
    const rows = await rowsInFront<Row>(reader, from, keys, list, term, true);
    if (rows) return { rows, total: await countOf(reader, walkedCount(from, list, term)) };
  }
  const query = foundRows(reader, from, keys, list, term);
  query.select(reader.connection.from('found').count('*').as('rows_found'));
  const rows = await run<Row & { rows_found?: number }>(reader, query, isPlannedOnce(list));
  const total =
    rows[0]?.rows_found ?? (window.offset === 0 ? 0 : await countOf(reader, matching(from, list, term)));
  for (const row of rows) delete row.rows_found;
  return { rows, total };
}

/** Whether nothing but the letters chooses the rows: one plan then fits all terms, and is kept. */
function isPlannedOnce({ is_filtered, window }: Searched): boolean {
  return is_filtered === false && !isWithinTimes(window);
}

/**
 * The matches are gathered first, without an order: so the planner never walks the primary key through every row of
 * the organization in the hope of filling a page.
 */
function foundRows(
  reader: Reader,
  from: Knex.QueryBuilder,
  keys: SortKey[],
  list: Searched,
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

/** The rows that have a term, by the index of letters. */
export function matching(from: Knex.QueryBuilder, list: Searched, term: SearchTerm): Knex.QueryBuilder {
  const { table, candidates } = list;
  if (candidates) {
    const { text, values } = candidates(term);
    // As an array they are read once and looked up one by one, whatever the planner knows of tables just filled.
    const named = from.clone().whereRaw(`"${table}".id = ANY (ARRAY(${text}))`, values as Knex.RawBinding[]);
    return whereHolds(named, hasText(`"${table}".search_text`, term));
  }
  const letters = hasLetters(`"${table}".search_grams`, term);
  const found = whereHolds(from.clone(), isPlannedOnce(list) ? expectingFew(letters) : letters);
  return isToldByLetters(term) ? found : whereHolds(found, hasText(`"${table}".search_text`, term));
}

function whereHolds(query: Knex.QueryBuilder, { text, values }: Condition): Knex.QueryBuilder {
  return query.whereRaw(text, values as Knex.RawBinding[]);
}
