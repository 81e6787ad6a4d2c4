import type { Knex } from 'knex';
import { firstIdOf, type Prefix } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import type { RecordKind } from '../kernel/record-kind.ts';
import type { Window } from '../kernel/window.ts';
import { type LookUps, lookUp } from './look-ups.ts';

/** What every list is narrowed by, beside the filters of its own. */
export type Narrowing = {
  /** Rows of the reader's organization with the list's own filters applied, nothing selected or ordered yet. */
  query: Knex.QueryBuilder;
  table: string;
  /** Several where records of several kinds are listed together: their IDs do not stand in the order of their making. */
  prefix: Prefix | readonly Prefix[];
  window: Window;
  /** For a table whose index by `updated_at` holds only rows that were changed since they were made. */
  indexes_changed_rows?: boolean;
  /** What the rows are looked up by, and the values that were asked for. */
  look_ups?: { kind: RecordKind; asked: LookUps };
};

/** The rows that are left by the times and the keys that every list is asked for. */
export function narrowed(reader: Reader, list: Narrowing): Knex.QueryBuilder {
  const { query, window, table, look_ups } = list;
  const result = query.clone();
  const { created_after, created_before } = window;
  const made = madeWithin(list);
  if (created_after) result.where(`${table}.${made.column}`, '>=', made.bound(created_after));
  if (created_before) result.where(`${table}.${made.column}`, '<', made.bound(created_before));
  withinChanges(result, list);
  if (look_ups) lookUp(result, reader, look_ups.kind, look_ups.asked);
  return result;
}

/** Whether only the rows of some time are asked for. */
export function isWithinTimes({
  created_after,
  created_before,
  updated_after,
  updated_before,
}: Window): boolean {
  return [created_after, created_before, updated_after, updated_before].some((bound) => bound !== null);
}

/** The column that says when a row was made, and a time as a bound of it: IDs of one kind begin with it. */
function madeWithin({ prefix }: Narrowing): { column: string; bound: (time: string) => string } {
  if (typeof prefix !== 'string') return { column: 'created_at', bound: (time) => time };
  return { column: 'id', bound: (time) => firstIdOf(prefix, new Date(time)) };
}

/**
 * Leaves the rows that were changed within the times. Where only changed rows are indexed by that time, the others are
 * found by their ID, which begins with it.
 */
function withinChanges(query: Knex.QueryBuilder, list: Narrowing): void {
  const { window, table, indexes_changed_rows } = list;
  const { updated_after, updated_before } = window;
  if (updated_after === null && updated_before === null) return;
  const within = (column: string, bound: (time: string) => string) => (rows: Knex.QueryBuilder) => {
    if (updated_after !== null) rows.where(`${table}.${column}`, '>=', bound(updated_after));
    if (updated_before !== null) rows.where(`${table}.${column}`, '<', bound(updated_before));
  };
  const changed = within('updated_at', (time) => time);
  if (!indexes_changed_rows) {
    query.where(changed);
    return;
  }
  const { column, bound } = madeWithin(list);
  const unchanged = within(column, bound);
  query.where((either) =>
    either
      .where((rows) => changed(rows.whereRaw(`"${table}".updated_at > "${table}".created_at`)))
      .orWhere((rows) => unchanged(rows.whereRaw(`"${table}".updated_at = "${table}".created_at`))),
  );
}
