import type { Knex } from 'knex';
import { firstIdOf, type Prefix } from '../kernel/id.ts';
import { IN_TEXT } from './keyset.ts';

export type ByUpdatedAt = {
  table: string;
  columns: readonly string[];
  prefix: Prefix;
  direction: 'asc' | 'desc';
  /** How many rows, from the beginning. */
  size: number;
  /** `updated_at` of the cursor's row, which `from` begins after; null without a cursor. */
  after: string | null;
};

type Changed = { id: string; updated_at: string };

/**
 * Rows by their last change, of a table whose index by `updated_at` holds only those that were changed since they were
 * made: an index over all rows is what a bulk load pays most for. The others need none, since an ID begins with
 * `created_at`. So two ordered streams are merged; what the first one gives bounds the second. Backwards a page is cheap
 * whatever was changed; forwards the first page of a table that was changed as a whole looks through all of it.
 */
export async function rowsByUpdatedAt<Row extends Changed>(
  from: Knex.QueryBuilder,
  { table, columns, prefix, direction, size, after }: ByUpdatedAt,
  run: (query: Knex.QueryBuilder) => Promise<Row[]>,
): Promise<Row[]> {
  const selected = () => from.clone().select(columns.map((column) => `${table}.${column}`));
  const changed = await run(
    selected()
      .whereRaw(`"${table}".updated_at > "${table}".created_at`)
      .orderBy(`${table}.updated_at`, direction)
      .orderBy(`${table}.id`, direction)
      .limit(size, IN_TEXT),
  );
  const last = changed.length === size ? changed.at(-1)!.updated_at : null;
  const [earliest, latest] = direction === 'asc' ? [after, last] : [last, after];
  const unchanged = selected().whereRaw(`"${table}".updated_at = "${table}".created_at`);
  if (earliest !== null) unchanged.where(`${table}.id`, '>=', firstIdOf(prefix, new Date(earliest)));
  if (latest !== null) {
    unchanged.where(`${table}.id`, '<', firstIdOf(prefix, new Date(Date.parse(latest) + 1)));
  }
  const rows = [...changed, ...(await run(unchanged.orderBy(`${table}.id`, direction).limit(size, IN_TEXT)))];
  const sign = direction === 'asc' ? 1 : -1;
  return rows.sort((left, right) => sign * compared(left, right)).slice(0, size);
}

function compared(left: Changed, right: Changed): number {
  if (left.updated_at !== right.updated_at) return left.updated_at < right.updated_at ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}
