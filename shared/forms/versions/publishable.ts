import type { FieldError } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { parseSchema } from '../schema/parse.ts';
import { publishFaults } from '../schema/publish.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldType } from '../schema/words.ts';

/**
 * The type that each field ever had in a version of a form. The versions are read where they are stored: a form may have many, with
 * texts of 256 KiB each.
 */
async function fieldTypes(
  { connection, organization_id }: Reader,
  form_id: string,
): Promise<Map<string, FieldType>> {
  const rows = await connection.query<{ id: string; type: FieldType }>(
    `SELECT DISTINCT field ->> 'id' AS id, field ->> 'type' AS type
       FROM forms_versions AS version, jsonb_path_query(version.schema_json::jsonb, '$.pages[*].fields[*]') AS field
      WHERE version.organization_id = $1 AND version.form_id = $2`,
    [organization_id, form_id],
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** The schema of a text as a version of a form could have it, or everything that keeps it from being published as one. */
export async function publishableSchema(
  reader: Reader,
  form_id: string,
  schema_json: string,
): Promise<{ schema: Schema } | { faults: FieldError[] }> {
  const parsed = parseSchema(schema_json);
  if ('faults' in parsed) return parsed;
  const faults = publishFaults(parsed.schema, await fieldTypes(reader, form_id));
  return faults.length > 0 ? { faults } : parsed;
}
