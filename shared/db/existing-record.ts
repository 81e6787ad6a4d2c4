import { Failure } from '../kernel/failure.ts';
import type { Reader } from '../kernel/reader.ts';
import { allows } from '../kernel/scope.ts';
import type { Row } from '../kernel/statement.ts';
import { failureOf, type UniqueKey, uniqueKeyOf } from './constraint.ts';
import { KEY_ALIASES } from './key-aliases.ts';

/**
 * An error as it is; for the breach of a unique key the failure that also names the record that has the key, as
 * `existing_id`: null where it went at the moment, and for who may not read it. `written` tells the rows that were to be written to a table. To be
 * asked after the transaction was rolled back, on its connection.
 */
export async function namingExisting(
  reader: Reader,
  error: unknown,
  written: (table: string) => readonly Row[],
): Promise<unknown> {
  const key = uniqueKeyOf(error);
  if (!key) return error;
  const isReadable = allows(reader.actor.grants, key.read_by);
  const holder = isReadable ? await holderOf(reader, key, written(key.table)) : null;
  const existing_id = holder === null || (await (key.sees?.(reader, holder) ?? true)) ? holder : null;
  const { code, details } = failureOf(error);
  return new Failure(code, { ...details, members: { ...details.members, existing_id }, cause: error });
}

/** The record that has the key of one of the rows, or had it before it was merged into the one that is answered. */
async function holderOf(
  { connection, organization_id }: Reader,
  { table, columns, path, kind }: UniqueKey,
  rows: readonly Row[],
): Promise<string | null> {
  const keyed = rows.filter((row) => columns.every((column) => row[column] != null));
  if (keyed.length === 0) return null;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const [record] = await connection.query<{ id: string }>(
    `SELECT id FROM "${table}"
      WHERE organization_id = $1 AND (${names}) IN (
        SELECT ${names} FROM json_populate_recordset(null::"${table}", $2::json))
        AND id <> ALL ($3) LIMIT 1`,
    [organization_id, JSON.stringify(keyed.map((row) => valuesOf(row, columns))), keyed.map(({ id }) => id)],
    { prepared: false },
  );
  const key = path.slice(1);
  if (record || !kind?.merged_keys?.includes(key)) return record?.id ?? null;
  const [alias] = await connection.query<{ record_id: string }>(
    `SELECT record_id FROM ${KEY_ALIASES}
      WHERE organization_id = $1 AND prefix = $2 AND key = $3 AND value = ANY ($4) LIMIT 1`,
    [organization_id, kind.prefix, key, keyed.map((row) => row[columns[0]!])],
  );
  return alias?.record_id ?? null;
}

function valuesOf(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}
