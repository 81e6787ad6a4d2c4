import type { Knex } from 'knex';
import { firstIdOf } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import type { ListQuery } from './list.ts';
import { lookUp } from './look-ups.ts';

/** The rows that are left by the times and the keys that every list is asked for. */
export function narrowed(reader: Reader, list: ListQuery): Knex.QueryBuilder {
  const { query, window, table, prefix, look_ups } = list;
  const result = query.clone();
  const { created_after, created_before } = window;
  if (created_after) result.where(`${table}.id`, '>=', firstIdOf(prefix, new Date(created_after)));
  if (created_before) result.where(`${table}.id`, '<', firstIdOf(prefix, new Date(created_before)));
  withinChanges(result, list);
  if (look_ups) lookUp(result, reader, look_ups.kind, look_ups.asked);
  return result;
}

/**
 * Leaves the rows that were changed within the times. Where only changed rows are indexed by that time, the others are
 * found by their ID, which begins with it.
 */
function withinChanges(query: Knex.QueryBuilder, list: ListQuery): void {
  const { window, table, prefix, indexes_changed_rows } = list;
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
  const unchanged = within('id', (time) => firstIdOf(prefix, new Date(time)));
  query.where((either) =>
    either
      .where((rows) => changed(rows.whereRaw(`"${table}".updated_at > "${table}".created_at`)))
      .orWhere((rows) => unchanged(rows.whereRaw(`"${table}".updated_at = "${table}".created_at`))),
  );
}
