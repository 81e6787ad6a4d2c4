import type { Knex } from 'knex';
import type { Reader } from '../kernel/reader.ts';
import type { SortKey } from './keyset.ts';
import type { Narrowing } from './narrowed.ts';
import { hasText, numbered, type SearchTerm } from './search-term.ts';

/** A frequent term fills a page from this many first rows; only a rare one needs the index of letters. */
export const FIRST = 2_000;

/** Entries of a covering index cost a thirtieth of rows: so many are looked at before anything is asked about the term. */
export const NEAR = 10_000;

/**
 * A term that so many of the newest `FIRST` rows have is common. Gathered, each hit is a visit of the table, which costs as
 * much as twenty to thirty entries of a covering index: above one row in forty, reading all entries costs less at the worst.
 */
const COMMON = FIRST / 40;

/** Which indexes give the rows of a list in one of its orders. */
export type Walk = {
  /**
   * The columns of `sorts` and `updated_at` that an index of all rows has in their order: a frequent term is looked for
   * among the first rows in it.
   */
  walked?: readonly string[];
  /**
   * Those of them whose index also has `search_text` and all that `query` asks for: a term that many rows have is looked
   * for in it from its beginning to its end, wherever its hits stand, and counted there in whatever order.
   */
  covered?: readonly string[];
};

/** Whether the rows come from an index in this order. */
export function isWalked([first, ...others]: readonly SortKey[], { walked = [] }: Walk): boolean {
  if (others.length === 0) return first!.direction === 'desc';
  return others.length === 1 && walked.includes(first!.column);
}

/** Whether such an index also has all that the rows are chosen by, so that walking it visits no row of the table. */
export function isCovered([first, ...others]: readonly SortKey[], { covered = [] }: Walk): boolean {
  return others.length === 1 && covered.includes(first!.column);
}

/**
 * Whether a term is in many rows, judged by the newest ones of the organization. What the reader does not see counts as
 * well: it decides how rows are found, never which.
 */
export async function isCommon(
  { connection, organization_id }: Reader,
  { table, prefix }: Pick<Narrowing, 'table' | 'prefix'>,
  term: SearchTerm,
): Promise<boolean> {
  const told = hasText('search_text COLLATE "C"', term);
  const [row] = await connection.query<{ hits: number }>(
    `SELECT count(*)::integer AS hits FROM (
       SELECT search_text FROM "${table}" WHERE organization_id = $1 AND id > $2 AND id < $3 ORDER BY id DESC LIMIT ${FIRST}
     ) AS newest WHERE ${numbered(told.text, 4)}`,
    [organization_id, `${prefix}_`, `${prefix}_~`, ...told.values],
  );
  return row!.hits >= COMMON;
}

/**
 * The rows of a window that have a term, as a walk over a covering index chooses them; only those are read from the table.
 * `near`: the walk ends after so many entries, wherever the page stands then.
 */
export function walkedRows(
  { connection, organization_id }: Reader,
  from: Knex.QueryBuilder,
  keys: readonly SortKey[],
  { table, columns, window }: Pick<Narrowing, 'table' | 'window'> & { columns: readonly string[] },
  term: SearchTerm,
  near?: number,
): Knex.QueryBuilder {
  const { knex } = connection;
  const names = ['search_text', ...keys.map(({ column }) => column)];
  const entries = from.clone().select(names.map((name) => `${table}.${name}`));
  if (near !== undefined) entries.limit(near);
  // Both collations find the same letters; that of bytes is not looked up anew for each entry.
  const told = hasText('search_text COLLATE "C"', term);
  const chosen = knex
    .from(entries.as('entries'))
    .select('id')
    .whereRaw(told.text, told.values as string[]);
  const rows = knex
    .withMaterialized('chosen', chosen.limit(window.limit + 1).offset(window.offset))
    .from('chosen')
    .joinRaw(`JOIN "${table}" ON "${table}".organization_id = ? AND "${table}".id = chosen.id`, [
      organization_id,
    ])
    .select(columns.map((column) => `${table}.${column}`));
  for (const { column, direction } of keys) {
    entries.orderBy(`${table}.${column}`, direction);
    chosen.orderBy(column, direction);
    rows.orderBy(`${table}.${column}`, direction);
  }
  return rows;
}

/** The rows that have a term, to be counted in a covering index. */
export function walkedCount(
  from: Knex.QueryBuilder,
  { table }: Pick<Narrowing, 'table'>,
  term: SearchTerm,
): Knex.QueryBuilder {
  const told = hasText(`"${table}".search_text COLLATE "C"`, term);
  return from.clone().whereRaw(told.text, told.values as string[]);
}
