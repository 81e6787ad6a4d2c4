import type { Reader } from '../../kernel/reader.ts';

const PARTS_OF = {
  name: ['last_name', 'first_name', 'last_name_kana', 'first_name_kana'],
  address: ['postal_code', 'prefecture', 'city', 'address_line', 'building'],
} as const;

/**
 * Whether a version of a form has a field, or for `field.part` that part: the row of a matrix, a part of a name or an address.
 * The newest versions are looked into first, and none after the one that has it.
 */
export async function isKnownField(
  { connection, organization_id }: Reader,
  form_id: string,
  path: string,
): Promise<boolean> {
  const [id, part] = path.split('.');
  const [found] = await connection.query<{ type: string }>(
    `SELECT field ->> 'type' AS type
       FROM (SELECT number, schema_json::json AS schema FROM forms_versions
              WHERE organization_id = $1 AND form_id = $2 ORDER BY number DESC) AS version,
            json_array_elements(schema -> 'pages') AS page, json_array_elements(page -> 'fields') AS field
      WHERE field ->> 'id' = $3
        AND ($4::text IS NULL OR field ->> 'type' <> 'matrix'
             OR EXISTS (SELECT FROM json_array_elements(field -> 'rows') AS line WHERE line ->> 'id' = $4))
      LIMIT 1`,
    [organization_id, form_id, id, part ?? null],
  );
  if (!found) return false;
  if (part === undefined || found.type === 'matrix') return true;
  return (
    (PARTS_OF[found.type as keyof typeof PARTS_OF] as readonly string[] | undefined)?.includes(part) ?? false
  );
}
