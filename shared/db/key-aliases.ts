import type { Reader } from '../kernel/reader.ts';
import type { RecordKind } from '../kernel/record-kind.ts';
import type { Work } from '../kernel/work.ts';

/**
 * The keys that merged records had: each leads to the record that stayed, until that is removed or takes it as its own.
 * A trigger refuses such a key to others (migration 0039).
 */
export const KEY_ALIASES = 'key_aliases';

type Keyed = { id: string } & { readonly [key: string]: unknown };

/**
 * Leaves the keys of two records leading to the one that stays, where it does not have them itself; those that led to the
 * other one follow. To be called before the other one is removed.
 */
export function leaveKeys(
  work: Work,
  { prefix, merged_keys = [] }: RecordKind,
  { merged, survivor, loser }: { merged: object; survivor: { id: string }; loser: { id: string } },
): void {
  work.run(`UPDATE ${KEY_ALIASES} SET record_id = $3 WHERE organization_id = $1 AND record_id = $2`, [
    work.organization_id,
    loser.id,
    survivor.id,
  ]);
  const rows = merged_keys.flatMap((key) =>
    [survivor as Keyed, loser as Keyed].flatMap((record) => {
      const value = record[key];
      const isKept = value === null || value === (merged as Keyed)[key];
      return isKept ? [] : [{ prefix, key, value, record_id: survivor.id }];
    }),
  );
  work.insertAll({ tableName: KEY_ALIASES }, rows);
}

/** By key and value, the records that keys of merged ones lead to. */
export async function recordsByAlias(
  reader: Reader,
  { prefix, merged_keys = [] }: RecordKind,
  asked: Readonly<Record<string, readonly string[]>>,
): Promise<{ key: string; value: string; record_id: string }[]> {
  const pairs = merged_keys.flatMap((key) => (asked[key] ?? []).map((value) => ({ key, value })));
  if (pairs.length === 0) return [];
  return reader.connection.query(
    `SELECT alias.key, alias.value, alias.record_id FROM ${KEY_ALIASES} AS alias
       JOIN unnest($3::text[], $4::text[]) AS asked (key, value)
         ON alias.key = asked.key AND alias.value = asked.value
      WHERE alias.organization_id = $1 AND alias.prefix = $2`,
    [reader.organization_id, prefix, pairs.map(({ key }) => key), pairs.map(({ value }) => value)],
    { prepared: false },
  );
}
