import { columnArrays } from './column-arrays.ts';
import { rememberedText } from './remembered-text.ts';
import { Spliced } from './shared-json-text.ts';
import { joining, type Row, type Statement, type Table } from './statement.ts';

/** From here on rows travel as one JSON value, or a list for each column: a statement takes 65,535 values, and each text is planned once. */
const MANY_ROWS = 8;

/** Adds rows of one shape. */
export function insertStatement(table: Table, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0]!);
  const joins = joining<readonly Row[]>({
    key: `${table.tableName} ${columns}`,
    brings: rows,
    join: (brought) => insertSet(table, columns, brought.flat()),
  });
  if (rows.length >= MANY_ROWS) return { ...insertSet(table, columns, rows), joins };
  const cells = rows.flatMap((row) => columns.map((column) => stored(table, column, row[column])));
  const values = cells.flatMap((cell) => (cell instanceof Spliced ? cell.pieces : [cell]));
  const spliced = cells.flatMap((cell, index) => (cell instanceof Spliced ? [index] : []));
  const text = rememberedText(`${table.tableName} ${rows.length} ${columns} ${spliced}`, () =>
    insertText(table, columns, cells),
  );
  return { text, values, table: table.tableName, joins };
}

function insertText(table: Table, columns: readonly string[], cells: readonly unknown[]): string {
  let place = 0;
  const next = () => `$${++place}`;
  const places = cells.map((cell) =>
    cell instanceof Spliced ? `(${next()}::text || ${next()}::text || ${next()}::text)::json` : next(),
  );
  const names = columns.map((column) => `"${column}"`).join(', ');
  const tuples = Array.from({ length: cells.length / columns.length }, (_, row) => {
    const own = places.slice(row * columns.length, (row + 1) * columns.length);
    return `(${own.join(', ')})`;
  });
  return `INSERT INTO "${table.tableName}" (${names}) VALUES ${tuples.join(', ')}`;
}

function insertSet(table: Table, columns: string[], rows: readonly Row[]): Statement {
  const names = columns.map((column) => `"${column}"`).join(', ');
  if (table.columnTypes) {
    const { source, read, values } = columnArrays(table, columns, { rows, first: 1 });
    const text = `INSERT INTO "${table.tableName}" (${names}) SELECT ${read.join(', ')} FROM ${source}`;
    return { text, values, table: table.tableName };
  }
  const source = `json_populate_recordset(null::"${table.tableName}", $1::json)`;
  const text = `INSERT INTO "${table.tableName}" (${names}) SELECT ${names} FROM ${source}`;
  return { text, values: [JSON.stringify(rows)], table: table.tableName };
}

/** Changes columns of one row. */
export function updateStatement(table: Table, organization_id: string, id: string, changes: Row): Statement {
  const columns = Object.keys(changes);
  const assignments = columns.map((column, index) => `"${column}" = $${index + 3}`).join(', ');
  const values = columns.map((column) => stored(table, column, changes[column]));
  const text = `UPDATE "${table.tableName}" SET ${assignments} WHERE organization_id = $1 AND id = $2`;
  return { text, values: [organization_id, id, ...values], table: table.tableName };
}

/** Changes the same columns of many rows, each found by its `id`. */
export function updateSetStatement(table: Table, organization_id: string, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0]!).filter((column) => column !== 'id');
  if (table.columnTypes && rows.length >= MANY_ROWS)
    return updateOfMany(table, organization_id, { columns, rows });
  const assignments = columns.map((column) => `"${column}" = changed."${column}"`).join(', ');
  const text = `UPDATE "${table.tableName}" AS kept SET ${assignments}
      FROM json_populate_recordset(null::"${table.tableName}", $2::json) AS changed
     WHERE kept.organization_id = $1 AND kept.id = changed.id`;
  return { text, values: [organization_id, JSON.stringify(rows)], table: null, planned_anew: true };
}

function updateOfMany(
  table: Table,
  organization_id: string,
  { columns, rows }: { columns: readonly string[]; rows: readonly Row[] },
): Statement {
  const all = ['id', ...columns];
  const { source, read, values } = columnArrays(table, all, { rows, first: 2 });
  const selected = read.map((expression, index) => `${expression} AS "${all[index]}"`).join(', ');
  const assignments = columns.map((column) => `"${column}" = changed."${column}"`).join(', ');
  const text = `UPDATE "${table.tableName}" AS kept SET ${assignments} FROM (SELECT ${selected} FROM ${source}) AS changed
     WHERE kept.organization_id = $1 AND kept.id = changed.id`;
  return { text, values: [organization_id, ...values], table: null, planned_anew: true };
}

/** Removes one row. */
export function deleteStatement(table: Table, organization_id: string, id: string): Statement {
  const text = `DELETE FROM "${table.tableName}" WHERE organization_id = $1 AND id = $2`;
  return { text, values: [organization_id, id], table: table.tableName };
}

function stored(table: Table, column: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Spliced) return value;
  return table.jsonAttributes?.includes(column) ? JSON.stringify(value) : value;
}
