import type { Row, Table } from './statement.ts';

/** Rows as one list for each column: what stands in `FROM` under the names of the columns, what each is read by, and the lists. */
export type ColumnArrays = { source: string; read: readonly string[]; values: readonly string[] };

/**
 * Rows of a table whose column types are known, ready for `unnest`, from the place `$first` on. As one JSON value they would
 * be taken apart and every column looked for in every row, which for a wide table took as long as all of its indexes. A
 * column without a value in any row is NULL, and travels not at all.
 */
export function columnArrays(
  { columnTypes = {}, jsonAttributes = [] }: Table,
  columns: readonly string[],
  { rows, first }: { rows: readonly Row[]; first: number },
): ColumnArrays {
  const lists: { name: string; list: string }[] = [];
  const documents: { name: string; list: string }[] = [];
  const values: string[] = [];
  const read = columns.map((column) => {
    const type = columnTypes[column] ?? 'text';
    const cells = rows.map((row) => row[column] ?? null);
    if (cells.every((cell) => cell === null)) return `NULL::${type}`;
    const place = `$${first + values.length}`;
    const name = `"${column}"`;
    const isDocument = jsonAttributes.includes(column);
    if (isDocument && !cells.includes(null)) {
      // One document for all rows is neither quoted in here nor read twice there.
      values.push(JSON.stringify(cells));
      documents.push({ name, list: `json_array_elements(${place}::json)` });
      return `${name}::${type}`;
    }
    const written = isDocument ? JSON.stringify : type.endsWith('[]') ? listText : textOf;
    values.push(`{${cells.map((cell) => (cell === null ? 'NULL' : quoted(written(cell)))).join(',')}}`);
    lists.push({ name, list: `${place}::text[]` });
    return type === 'text' ? name : `${name}::${type}`;
  });
  const unnested = lists.length > 0 ? [`unnest(${lists.map(({ list }) => list).join(', ')})`] : [];
  const functions = [...unnested, ...documents.map(({ list }) => list)].join(', ');
  const names = [...lists, ...documents].map(({ name }) => name).join(', ');
  return { source: `ROWS FROM (${functions}) AS sent (${names})`, read, values };
}

/** Lists of numbers alone: their text is that of JSON in other brackets. */
const listText = (value: unknown) => `{${(value as readonly number[]).join(',')}}`;

const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

/** As an element of an array: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function quoted(text: string): string {
  return `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`;
}
