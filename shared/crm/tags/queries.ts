import type { Reader } from '../../kernel/reader.ts';
import type { TagLabel } from './record.ts';

export type TaggedKind = 'company' | 'contact' | 'deal';

/** The tags of many records in one query, by record ID and in order of name. */
export async function tagsOf(
  reader: Reader,
  kind: TaggedKind,
  ids: readonly string[],
): Promise<(id: string) => TagLabel[]> {
  if (ids.length === 0) return () => [];
  const rows = await reader.connection.query<TagLabel & { record_id: string }>(
    `SELECT assignment.${kind}_id AS record_id, tag.id, tag.name, tag.color
       FROM crm_tag_assignments AS assignment
       JOIN crm_tags AS tag ON tag.organization_id = assignment.organization_id AND tag.id = assignment.tag_id
      WHERE assignment.organization_id = $1 AND assignment.${kind}_id = ANY ($2)
      ORDER BY tag.name, tag.id`,
    [reader.organization_id, ids],
  );
  const byRecord = Map.groupBy(rows, ({ record_id }) => record_id);
  return (id) => (byRecord.get(id) ?? []).map(({ id: tag_id, name, color }) => ({ id: tag_id, name, color }));
}
