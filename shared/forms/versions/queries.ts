import { pageOf } from '../../db/list.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import type { FieldType } from '../schema/words.ts';
import { type FormVersion, FormVersionModel, type ListedVersion } from './record.ts';

const listedColumns = ['id', 'form_id', 'number', 'title', 'sha256', 'published_at', 'published_by'] as const;

type VersionRow = Omit<FormVersion, 'object'>;

/** One version of a form. Errors: `not_found`. */
export async function versionOf(reader: Reader, form_id: string, number: number): Promise<FormVersion> {
  const found = await findVersion(reader, form_id, number);
  if (!found) throw notFound();
  return found;
}

/** One version of a form; undefined where there is none of that number. */
export async function findVersion(
  { connection, organization_id }: Reader,
  form_id: string,
  number: number,
): Promise<FormVersion | undefined> {
  const [row] = await connection.query<VersionRow>(
    `SELECT ${listedColumns.join(', ')}, schema_json FROM forms_versions WHERE organization_id = $1 AND form_id = $2 AND number = $3`,
    [organization_id, form_id, number],
  );
  if (!row) return undefined;
  const { id, ...rest } = row;
  return { id, object: 'forms.version', ...rest };
}

/** The types that the fields of all versions of a form have: a field has the same in each. */
export async function earlierTypes(
  { connection, organization_id }: Reader,
  form_id: string,
): Promise<Map<string, FieldType>> {
  const rows = await connection.query<{ id: string; type: FieldType }>(
    `SELECT DISTINCT field ->> 'id' AS id, field ->> 'type' AS type
       FROM forms_versions AS version, json_array_elements(version.schema_json::json -> 'pages') AS page,
         json_array_elements(page -> 'fields') AS field
      WHERE version.organization_id = $1 AND version.form_id = $2`,
    [organization_id, form_id],
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** A window of the versions of a form, the newest first unless asked otherwise. Errors: `invalid_cursor`. */
export async function versionPage(
  reader: Reader,
  form_id: string,
  window: Window,
): Promise<Page<ListedVersion>> {
  const page = await pageOf<Omit<ListedVersion, 'object'>>(reader, {
    query: FormVersionModel.table(reader).where({ form_id }),
    table: FormVersionModel.tableName,
    columns: listedColumns,
    prefix: 'formv',
    sorts: { updated_at: 'published_at' },
    window,
  });
  return { ...page, rows: page.rows.map(({ id, ...rest }) => ({ id, object: 'forms.version', ...rest })) };
}
