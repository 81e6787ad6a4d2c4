import { invalidAll } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import {
  type CustomFieldChanges,
  type CustomFieldRule,
  type CustomFieldValues,
  changeCustomFields,
} from './values.ts';

/** The kinds of record that have custom fields. */
export const customFieldKinds = ['company', 'contact', 'deal'] as const;

export type CustomFieldKind = (typeof customFieldKinds)[number];

/** What the custom fields of a kind of record are checked against. */
export async function customFieldRules(reader: Reader, kind: CustomFieldKind): Promise<CustomFieldRule[]> {
  return reader.connection.query<CustomFieldRule>(
    'SELECT key, type, options FROM crm_custom_fields WHERE organization_id = $1 AND kind = $2',
    [reader.organization_id, kind],
  );
}

/** The same with their labels, by which people and files know them. */
export async function labelledRules(
  { connection, organization_id }: Reader,
  kind: CustomFieldKind,
): Promise<(CustomFieldRule & { label: string })[]> {
  return connection.query<CustomFieldRule & { label: string }>(
    'SELECT key, label, type, options FROM crm_custom_fields WHERE organization_id = $1 AND kind = $2 ORDER BY id',
    [organization_id, kind],
  );
}

/**
 * The custom fields of a record after the sent ones were applied; a request that sends none asks nothing of the
 * database. Errors: `validation_failed` at /custom_fields/<key>.
 */
export async function customFieldsAfter(
  reader: Reader,
  kind: CustomFieldKind,
  before: CustomFieldValues,
  sent: CustomFieldChanges | undefined,
): Promise<CustomFieldValues> {
  if (!sent || Object.keys(sent).length === 0) return before;
  const result = changeCustomFields(before, sent, await customFieldRules(reader, kind));
  if ('faults' in result) throw invalidAll(result.faults);
  return result.values;
}
