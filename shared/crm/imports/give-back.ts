import type { Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import type { CustomFieldValues } from '../custom-fields/values.ts';
import { customKey } from './custom-columns.ts';
import type { Overwritten } from './journal.ts';
import type { Kept } from './records.ts';

/** Custom fields with those values given back; null takes one away. */
export function customFieldsWith(present: CustomFieldValues, values: Kept): CustomFieldValues {
  const all = new Map(Object.entries(present));
  for (const [field, value] of Object.entries(values)) {
    const key = customKey(field);
    if (key === null) continue;
    if (value === null) all.delete(key);
    else all.set(key, value as CustomFieldValues[string]);
  }
  return Object.fromEntries(all);
}

/** The values without those of custom fields. */
export function ownFields(values: Kept): Kept {
  return Object.fromEntries(Object.entries(values).filter(([field]) => customKey(field) === null));
}

/** The values that a field of all the records had before. */
export function valuesBefore(overwritten: Iterable<Overwritten>, field: string): string[] {
  const all = [...overwritten].flatMap((each) => (field in each ? [each[field]![0]] : []));
  return [...new Set(all.filter((value) => typeof value === 'string'))];
}

/** Those of the records, all of one table, that rows refer to which keep them from being removed. */
export async function keptByReferences(
  work: Work,
  references: readonly Reference[],
  to: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const { table, column } of references.filter((each) => each.to === to && each.keeps_imported)) {
    for (const id of await presentIn(work, table, column, ids)) kept.add(id);
  }
  return kept;
}

/** Those of the values that rows of the table have now in a column. */
export async function presentIn(
  work: Work,
  table: string,
  column: string,
  values: readonly string[],
): Promise<Set<string>> {
  if (values.length === 0) return new Set();
  const rows = await work.connection.query<{ value: string }>(
    `SELECT ${column} AS value FROM ${table} WHERE organization_id = $1 AND ${column} = ANY ($2) FOR KEY SHARE`,
    [work.organization_id, values],
  );
  return new Set(rows.map(({ value }) => value));
}
