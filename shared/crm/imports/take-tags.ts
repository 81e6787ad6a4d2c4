import type { Work } from '../../kernel/work.ts';
import { type TagAssignment, tagAssignmentFacts } from '../tag-assignments/record.ts';
import { type TaggedKind, type TagRow, tagOf } from '../tags/queries.ts';
import { type TagLabel, tagFacts } from '../tags/record.ts';
import type { Overwritten } from './journal.ts';

type AssignmentRow = Omit<TagAssignment, 'object' | 'updated_at'>;

/** Takes the tags from records that an import put on them; answers by record what it had of them still. */
export async function takeTags(
  work: Work,
  kind: TaggedKind,
  overwritten: ReadonlyMap<string, Overwritten>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const put = new Map([...overwritten].map(([id, own]) => [id, tagsPut(own)]));
  const tag_ids = [...new Set([...put.values()].flat())];
  if (tag_ids.length === 0) return new Map();
  const rows = await work.connection.query<AssignmentRow>(
    `SELECT assignment.id, tag_id, resource_type, resource_id, tag.name AS tag_name, tag.color AS tag_color,
            assignment.created_at
       FROM crm_tag_assignments AS assignment
       JOIN crm_tags AS tag ON tag.organization_id = assignment.organization_id AND tag.id = tag_id
      WHERE assignment.organization_id = $1 AND assignment.${kind}_id = ANY ($2) AND tag_id = ANY ($3)
      ORDER BY assignment.id FOR UPDATE OF assignment`,
    [work.organization_id, [...put.keys()], tag_ids],
  );
  const taken = rows.filter(({ resource_id, tag_id }) => put.get(resource_id)!.includes(tag_id));
  for (const row of taken) {
    const before = { ...row, object: 'crm.tag_assignment', updated_at: row.created_at };
    work.record(tagAssignmentFacts.deleted, { before, after: null });
  }
  work.run('DELETE FROM crm_tag_assignments WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    taken.map(({ id }) => id),
  ]);
  const byRecord = Map.groupBy(taken, ({ resource_id }) => resource_id);
  return new Map([...byRecord].map(([id, rows]) => [id, rows.map(({ tag_id }) => tag_id)]));
}

/** The tags of a record without those that were taken from it. */
export function tagsLeft(
  record: { id: string; tags: readonly TagLabel[] },
  taken: ReadonlyMap<string, readonly string[]>,
): TagLabel[] {
  return record.tags.filter(({ id }) => !taken.get(record.id)?.includes(id));
}

function tagsPut(overwritten: Overwritten): string[] {
  const [was, written] = (overwritten['tags'] ?? [[], []]) as [string[], string[]];
  return written.filter((id) => !was.includes(id));
}

/** Holds tags that may be removed, before the records that carry them, as the removal of one tag does. */
export async function lockTags(work: Work, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await work.connection.query(
    'SELECT FROM crm_tags WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE',
    [work.organization_id, ids],
  );
}

/** Removes tags that an import made and that are held: those that nobody changed and no record carries. */
export async function removeTags(work: Work, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await work.connection.query<TagRow>(
    `SELECT id, name, color, created_at, updated_at FROM crm_tags AS tag
      WHERE organization_id = $1 AND id = ANY ($2) AND updated_at = created_at AND NOT EXISTS (
        SELECT FROM crm_tag_assignments WHERE organization_id = $1 AND tag_id = tag.id)
      ORDER BY id`,
    [work.organization_id, ids],
  );
  for (const row of rows) work.record(tagFacts.deleted, { before: tagOf(row, 0), after: null });
  work.run('DELETE FROM crm_tags WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    rows.map(({ id }) => id),
  ]);
}
