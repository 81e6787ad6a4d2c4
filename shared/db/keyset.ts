export type SortKey = { column: string; direction: 'asc' | 'desc'; nullable: boolean };

/**
 * Sizes stand in the text: of a page whose size is an argument the planner expects a tenth of all rows, so it never keeps the plan of
 * a prepared list, and plans anew at each use (half of the time of a page of contacts).
 */
export const IN_TEXT = { skipBinding: true };

/** SQL with `?` for its values. */
export type Condition = { text: string; values: unknown[] };

/**
 * The rows that stand after `row` in the order of `keys`, whose last one is unique, in stretches that stand one behind the
 * other: an index begins at the row in each of them, which it cannot where rows with a value and those without are asked for
 * together. NULL counts as the largest value, as in PostgreSQL's default order.
 */
export function stretchesAfter(
  table: string,
  keys: readonly SortKey[],
  row: Record<string, unknown>,
): Condition[] {
  const [first, ...rest] = keys;
  if (!first!.nullable) return [after(table, keys, row)];
  const column = `"${table}"."${first!.column}"`;
  const without = { text: `${column} IS NULL`, values: [] };
  if (row[first!.column] != null) {
    const valued = after(table, [{ ...first!, nullable: false }, ...rest], row);
    return first!.direction === 'asc' ? [valued, without] : [valued];
  }
  const tied = after(table, rest, row);
  const alike = { text: `(${without.text} AND ${tied.text})`, values: tied.values };
  return first!.direction === 'asc' ? [alike] : [alike, { text: `${column} IS NOT NULL`, values: [] }];
}

function after(table: string, keys: readonly SortKey[], row: Record<string, unknown>): Condition {
  if (isComparedAsOne(keys, row)) return rowBehind(table, keys, row);
  const values: unknown[] = [];
  return { text: condition(table, keys, row, values), values };
}

function isComparedAsOne(keys: readonly SortKey[], row: Record<string, unknown>): boolean {
  const { direction } = keys[0]!;
  return keys.every((key) => key.direction === direction && !key.nullable && row[key.column] != null);
}

/** An index begins behind the row itself, however many rows share what leads. */
function rowBehind(table: string, keys: readonly SortKey[], row: Record<string, unknown>): Condition {
  const columns = keys.map(({ column }) => `"${table}"."${column}"`);
  const sign = keys[0]!.direction === 'asc' ? '>' : '<';
  return {
    text: `(${columns.join(', ')}) ${sign} (${keys.map(() => '?').join(', ')})`,
    values: keys.map(({ column }) => row[column]),
  };
}

function condition(
  table: string,
  keys: readonly SortKey[],
  row: Record<string, unknown>,
  values: unknown[],
): string {
  const [key, ...rest] = keys;
  const column = `"${table}"."${key!.column}"`;
  const value = row[key!.column] ?? null;
  const ascending = key!.direction === 'asc';
  if (rest.length === 0) {
    values.push(value);
    return `${column} ${ascending ? '>' : '<'} ?`;
  }
  if (value === null) {
    const tie = condition(table, rest, row, values);
    return ascending ? `(${column} IS NULL AND ${tie})` : `(${column} IS NOT NULL OR ${tie})`;
  }
  const larger = key!.nullable ? `(${column} > ? OR ${column} IS NULL)` : `${column} > ?`;
  const beyond = ascending ? larger : `${column} < ?`;
  values.push(value, value);
  const tie = `(${column} = ? AND ${condition(table, rest, row, values)})`;
  const reached = `(${beyond} OR ${tie})`;
  if (key!.nullable && ascending) return reached;
  // Stated again without OR, so that an index can begin at the row.
  values.push(value);
  return `(${reached} AND ${column} ${ascending ? '>=' : '<='} ?)`;
}
