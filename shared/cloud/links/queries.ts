import { companyIds, contactIds } from '../../crm/aliases.ts';
import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { LinkType } from './types.ts';

export type FileLink = { type: LinkType; id: string };

/** By file, the records that it belongs to. */
export async function linksOf(
  { connection, organization_id }: Reader,
  file_ids: readonly string[],
): Promise<(file_id: string) => FileLink[]> {
  const rows =
    file_ids.length === 0
      ? []
      : await connection.query<FileLink & { file_id: string }>(
          `SELECT file_id, type, id FROM cloud_links
            WHERE organization_id = $1 AND file_id = ${oneOf('$2')} ORDER BY file_id, type, id`,
          [organization_id, file_ids],
        );
  const byFile = Map.groupBy(rows, ({ file_id }) => file_id);
  return (file_id) => (byFile.get(file_id) ?? []).map(({ type, id }) => ({ type, id }));
}

/**
 * The files that belong to a record, as a condition on items: SQL with `?`. Files keep the ID of a company or contact that was
 * merged into another one, and are found by either.
 */
export function linkedTo(reader: Reader, { type, id }: FileLink): [string, string[]] {
  const [ids, values] = idsOf(reader, { type, id });
  return [
    `cloud_items.id IN (SELECT file_id FROM cloud_links WHERE organization_id = ? AND type = ? AND id = ANY (${ids}))`,
    [reader.organization_id, type, ...values],
  ];
}

function idsOf(reader: Reader, { type, id }: FileLink): [string, string[]] {
  if (type === 'company') return companyIds(reader, id);
  return type === 'contact' ? contactIds(reader, id) : ['ARRAY[?]', [id]];
}
