import { allRows, type ListQuery } from '../../db/list.ts';
import { copyOf } from '../../db/literal.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ExportColumn } from './exporter.ts';

/** The COPY that sends a list as CSV. */
export function copyStatement(reader: Reader, list: ListQuery, columns: readonly ExportColumn[]): string {
  const { knex } = reader.connection;
  const query = allRows(reader, list);
  for (const { sql, values = [] } of columns) query.select(knex.raw(only(columns, sql), [...values]));
  const { sql, bindings } = query.toSQL().toNative();
  return copyOf({ text: sql, values: bindings });
}

/** How many rows the list has. */
export async function countRows(reader: Reader, list: ListQuery): Promise<number> {
  const { sql, bindings } = allRows(reader, list).clearOrder().count({ total: '*' }).toSQL().toNative();
  const rows = await reader.connection.query<{ total: number }>(sql, bindings, { prepared: false });
  return rows[0]!.total;
}

/** A file of one column shows an empty cell as "": an empty line would be no row to those who read it. */
function only(columns: readonly ExportColumn[], sql: string): string {
  return columns.length === 1 ? `coalesce((${sql})::text, '')` : sql;
}
