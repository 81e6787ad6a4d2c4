import type { Connection } from './connection.ts';
import { SharedText, Spliced } from './shared-text.ts';

/** A table as the work needs to know it: its name and the columns that hold JSON. */
export type Table = { readonly tableName: string; readonly jsonAttributes?: readonly string[] };

export type Row = Record<string, unknown>;

/** SQL with `$1`-style values. `table` is the one table that it writes, or null where that is not so simple. */
export type Statement = {
  text: string;
  values: readonly unknown[];
  table?: string | null;
  /** Planned anew each time: for statements over so many rows that a plan from emptier days would be ruinous. */
  planned_anew?: boolean;
};

/** From here on rows travel as one JSON value: a statement takes 65,535 values, and each text is planned once. */
const MANY_ROWS = 8;

/** Adds rows of one shape. */
export function insertStatement(table: Table, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0]!);
  if (rows.length >= MANY_ROWS) return insertSet(table, columns, rows);
  const cells = rows.flatMap((row) => columns.map((column) => stored(table, column, row[column])));
  const values = cells.flatMap((cell) => (cell instanceof Spliced ? cell.pieces : [cell]));
  const spliced = cells.flatMap((cell, index) => (cell instanceof Spliced ? [index] : []));
  const text = remembered(`${table.tableName} ${rows.length} ${columns} ${spliced}`, () =>
    insertText(table, columns, cells),
  );
  return { text, values, table: table.tableName };
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

/** Texts made before, by what they follow from, the least recently used first: nearly every write has the same ones. */
const texts = new Map<string, string>();
const MOST_TEXTS = 1000;

function remembered(key: string, make: () => string): string {
  const text = texts.get(key) ?? make();
  texts.delete(key);
  texts.set(key, text);
  if (texts.size > MOST_TEXTS) texts.delete(texts.keys().next().value!);
  return text;
}

function insertSet(table: Table, columns: string[], rows: readonly Row[]): Statement {
  const names = columns.map((column) => `"${column}"`).join(', ');
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
  const assignments = columns.map((column) => `"${column}" = changed."${column}"`).join(', ');
  const text = `UPDATE "${table.tableName}" AS kept SET ${assignments}
      FROM json_populate_recordset(null::"${table.tableName}", $2::json) AS changed
     WHERE kept.organization_id = $1 AND kept.id = changed.id`;
  return { text, values: [organization_id, JSON.stringify(rows)], table: null, planned_anew: true };
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

/**
 * Neighbours that write different tables become one statement with the others as CTEs: each statement costs a trip
 * through the protocol on both sides. Foreign keys are checked at the end of a statement, so parts may refer to
 * each other's rows.
 */
export function merged(statements: readonly Statement[]): Statement[] {
  const groups: Statement[][] = [];
  for (const statement of statements) {
    const group = groups.at(-1);
    const joins = group?.every(({ table }) => table && table !== statement.table);
    if (group && joins && statement.table) group.push(statement);
    else groups.push([statement]);
  }
  return groups.map((group) => (group.length === 1 ? group[0]! : asOne(group)));
}

function asOne(group: readonly Statement[]): Statement {
  const values: unknown[] = [];
  const shared = new Map<SharedText, number>();
  const repeated: string[] = [];
  const places = group.map((statement) =>
    statement.values.map((value) => {
      if (!(value instanceof SharedText)) return values.push(value);
      const known = shared.get(value);
      if (known !== undefined) repeated.push(`${values.length}=${known}`);
      const place = known ?? values.push(value);
      shared.set(value, place);
      return place;
    }),
  );
  const key = [...repeated, ...group.map(({ text, values: own }) => `${own.length} ${text}`)].join('\n');
  return { text: remembered(key, () => joined(group, places)), values, table: null };
}

/** `places` are those of each statement's values among all. */
function joined(group: readonly Statement[], places: readonly (readonly number[])[]): string {
  const numbered = group.map(({ text }, index) =>
    text.replace(/\$(\d+)/g, (_, place) => `$${places[index]![Number(place) - 1]}`),
  );
  const main = numbered.pop();
  const parts = numbered.map((text, index) => `part${index} AS (${text})`);
  return `WITH ${parts.join(', ')} ${main}`;
}

/**
 * Sends all without waiting between; the first error decides, the others only say that the transaction is aborted. A
 * value that JSON cannot hold is thrown at once, before anything is sent: the driver would skip the statement, and a
 * COMMIT that follows would commit the others.
 */
export function sendAll(
  connection: Connection,
  statements: readonly Statement[],
  isEnd: boolean,
): Promise<void> {
  const alone = isEnd && statements.length === 1;
  const ready = statements.map((statement) => ({ ...statement, values: statement.values.map(plain) }));
  const sent = ready.map(({ text, values, planned_anew }) =>
    connection.query(text, values, { alone, prepared: !planned_anew }),
  );
  for (const one of sent) one.catch(() => undefined);
  return allOf(sent);
}

async function allOf(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const one of sent) await one;
}

/** A value as the driver sends it unchanged, but for lists, times and bytes. */
function plain(value: unknown): unknown {
  if (value instanceof SharedText) return value.text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof Date) return value;
  return JSON.stringify(value);
}
