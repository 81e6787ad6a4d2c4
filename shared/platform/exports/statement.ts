import type { Knex } from 'knex';
import { allRows, type ListQuery } from '../../db/list.ts';
import { copyOf } from '../../db/literal.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ExportColumn } from './exporter.ts';
import { WRAPPED } from './wrapped.ts';

/** PostgreSQL sends at most 1,664 columns; the query may have some of its own. */
const MOST_COLUMNS = 1_600;

/** Whether a file has more columns than COPY sends: then its lines come whole, and `linesIn` takes them out. */
export function isWide(columns: readonly ExportColumn[]): boolean {
  return columns.length > MOST_COLUMNS;
}

/** The COPY that sends a list as CSV. */
export function copyStatement(reader: Reader, list: ListQuery, columns: readonly ExportColumn[]): string {
  const { knex } = reader.connection;
  const query = allRows(reader, list);
  if (isWide(columns)) query.select(lineOf(knex, columns));
  else for (const { sql, values = [] } of columns) query.select(knex.raw(only(columns, sql), [...values]));
  const { sql, bindings } = query.toSQL().toNative();
  return copyOf({ text: sql, values: bindings }, isWide(columns) ? WRAPPED : undefined);
}

/** A line of CSV as one value: texts in quotes, whatever they hold, and NULL as nothing. */
function lineOf(knex: Knex, columns: readonly ExportColumn[]): Knex.Raw {
  const cells = columns.map(({ kind, sql }) =>
    kind === 'text'
      ? `coalesce('"' || replace((${sql})::text, '"', '""') || '"', '')`
      : `coalesce((${sql})::text, '')`,
  );
  const values = columns.flatMap((column) => column.values ?? []);
  return knex.raw(`array_to_string(ARRAY[${cells.join(', ')}], ',')`, values);
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
