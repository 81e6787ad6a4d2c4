import { pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Page, Window } from '../../kernel/window.ts';
import type { CustomFieldKind } from './queries.ts';
import { type CustomField, CustomFieldModel, customFieldKind } from './record.ts';

const columns = [
  'id',
  'kind',
  'key',
  'label',
  'type',
  'options',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type CustomFieldRow = Omit<CustomField, 'object'>;

/** A row as the API shows it. */
export function customFieldOf({ id, ...row }: CustomFieldRow): CustomField {
  return { id, object: 'crm.custom_field', ...row };
}

/** One definition. Errors: `not_found`. */
export async function customFieldById(reader: Reader, id: string): Promise<CustomField> {
  return found(await CustomFieldModel.of(reader).select(columns).findOne({ id }));
}

/** The same, its row locked until the work commits. Errors: `not_found`. */
export async function lockCustomField(reader: Reader, id: string): Promise<CustomField> {
  return found(await CustomFieldModel.of(reader).select(columns).findOne({ id }).forUpdate());
}

function found(row: CustomFieldModel | undefined): CustomField {
  if (!row) throw notFound();
  return customFieldOf(pick(row, columns));
}

/** A window of the definitions, of one kind of record or all. */
export async function customFieldPage(
  reader: Reader,
  filters: LookUps & { kind?: CustomFieldKind },
  window: Window,
): Promise<Page<CustomField>> {
  const query = CustomFieldModel.table(reader);
  if (filters.kind) query.where('crm_custom_fields.kind', filters.kind);
  const page = await pageOf<CustomFieldRow>(reader, {
    query,
    table: CustomFieldModel.tableName,
    columns,
    prefix: 'cfld',
    look_ups: { kind: customFieldKind, asked: filters },
    window,
  });
  return { ...page, rows: page.rows.map(customFieldOf) };
}
