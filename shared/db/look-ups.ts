import type { Knex } from 'knex';
import type { Reader } from '../kernel/reader.ts';
import type { RecordKind } from '../kernel/record-kind.ts';
import { KEY_ALIASES } from './key-aliases.ts';

/** By key, the values that a list was asked for: `external_id` has several. */
export type LookUps = Readonly<Record<string, unknown>>;

/**
 * Leaves the records that have one of the values that each key was asked for. A value that a merged record had finds
 * the one that stayed.
 */
export function lookUp(
  query: Knex.QueryBuilder,
  reader: Reader,
  { table, prefix, keys, merged_keys }: RecordKind,
  asked: LookUps,
): void {
  for (const [name, { column = name, compared }] of Object.entries(keys)) {
    const values = valuesOf(asked[name]);
    if (values === null) continue;
    const given = compared ? values.map(compared) : values;
    if (!merged_keys?.includes(name)) {
      query.whereRaw(`"${table}"."${column}" = ANY (?)`, [given]);
      continue;
    }
    query.whereRaw(
      `"${table}".id IN (
         SELECT id FROM "${table}" WHERE organization_id = ? AND "${column}" = ANY (?)
         UNION ALL
         SELECT record_id FROM ${KEY_ALIASES}
          WHERE organization_id = ? AND prefix = ? AND key = ? AND value = ANY (?))`,
      [reader.organization_id, given, reader.organization_id, prefix, name, given],
    );
  }
}

/** The ID of the record that has this key, or had it before it was merged; null where there is none. */
export async function idByKey(
  reader: Reader,
  { table, prefix, keys, merged_keys }: RecordKind,
  key: string,
  value: string,
): Promise<{ id: string; by_alias: boolean } | null> {
  const { column = key, compared } = keys[key]!;
  const given = compared ? compared(value) : value;
  const isLeft = merged_keys?.includes(key);
  const own = `SELECT id, false AS by_alias FROM "${table}" WHERE organization_id = $1 AND "${column}" = $2`;
  const alias = `SELECT record_id AS id, true AS by_alias FROM ${KEY_ALIASES}
      WHERE organization_id = $1 AND prefix = $3 AND key = $4 AND value = $2`;
  const [found] = await reader.connection.query<{ id: string; by_alias: boolean }>(
    isLeft ? `${own} UNION ALL ${alias} ORDER BY by_alias LIMIT 1` : `${own} LIMIT 1`,
    isLeft ? [reader.organization_id, given, prefix, key] : [reader.organization_id, given],
  );
  return found ?? null;
}

function valuesOf(asked: unknown): string[] | null {
  if (asked === undefined || asked === null) return null;
  return Array.isArray(asked) ? asked : [asked as string];
}
