import { newId } from '../../kernel/id.ts';
import type { Row, Work } from '../../kernel/work.ts';
import { foldCase } from '../../platform/search/normalise.ts';
import { tagsTogether } from '../merge.ts';
import { type TagAssignment, tagAssignmentFacts } from '../tag-assignments/record.ts';
import { newTagRow } from '../tags/operations.ts';
import { type TaggedKind, tagOf } from '../tags/queries.ts';
import { DEFAULT_COLOR, type TagLabel, TagModel, tagFacts } from '../tags/record.ts';
import { type GoodRow, textsIn, type Values } from './row.ts';

export type Tags = {
  /** Puts the tags that a row names on a record; answers its tags then. Unknown ones are made. */
  assign(record_id: string, has: readonly TagLabel[], values: Values): TagLabel[];
  /** The IDs of the tags that were made. */
  made(): string[];
  /** Collects the rows that are not written yet; those of the records come before. */
  write(): void;
};

/**
 * The tags that rows name, held until the work commits. An import adds tags and takes none away; one that nobody
 * knows is made, as people expect who bring their list from elsewhere.
 */
export async function tagsIn(work: Work, kind: TaggedKind, rows: readonly GoodRow[]): Promise<Tags> {
  const keys = [...new Set(textsIn(rows, 'tags').map(foldCase))];
  const known = keys.length === 0 ? [] : await lockTags(work, keys);
  const byKey = new Map<string, TagLabel>(known.map(({ name_key, ...tag }) => [name_key, tag]));
  const made: string[] = [];
  const tagRows: Row[] = [];
  const assignments: Row[] = [];

  function labelFor(name: string): TagLabel {
    const key = foldCase(name);
    const found = byKey.get(key);
    if (found) return found;
    const row = newTagRow(work, { name, color: DEFAULT_COLOR });
    made.push(row.id);
    tagRows.push({ ...row, name_key: key });
    work.record(tagFacts.created, { before: null, after: tagOf(row, 0) });
    const label = { id: row.id, name, color: row.color };
    byKey.set(key, label);
    return label;
  }

  function assignOne(resource_id: string, tag: TagLabel): void {
    const created_at = work.now.toISOString();
    const id = newId('taga', work.now);
    assignments.push({ id, tag_id: tag.id, [`${kind}_id`]: resource_id, created_at });
    const after: TagAssignment = {
      id,
      object: 'crm.tag_assignment',
      tag_id: tag.id,
      resource_type: kind,
      resource_id,
      tag_name: tag.name,
      tag_color: tag.color,
      created_at,
      updated_at: created_at,
    };
    work.record(tagAssignmentFacts.created, { before: null, after });
  }

  return {
    assign(record_id, has, values) {
      const names = (values['tags'] ?? []) as string[];
      const held = new Set(has.map(({ id }) => id));
      const labels = new Map(names.map(labelFor).map((label) => [label.id, label]));
      const added = [...labels.values()].filter(({ id }) => !held.has(id));
      if (added.length === 0) return [...has];
      for (const tag of added) assignOne(record_id, tag);
      return tagsTogether(has, added);
    },
    made: () => made,
    write() {
      work.insertAll(TagModel, tagRows.splice(0));
      const assigned = assignments.splice(0);
      if (assigned.length === 0) return;
      // Somebody may put the same tag on the record at this moment: then it is there, which is what was asked for.
      work.run(
        `INSERT INTO crm_tag_assignments (organization_id, id, tag_id, ${kind}_id, created_at)
         SELECT $1, id, tag_id, ${kind}_id, created_at
           FROM jsonb_populate_recordset(null::crm_tag_assignments, $2::jsonb)
         ON CONFLICT ON CONSTRAINT crm_tag_assignments_once DO NOTHING`,
        [work.organization_id, JSON.stringify(assigned)],
      );
    },
  };
}

function lockTags(work: Work, keys: readonly string[]): Promise<(TagLabel & { name_key: string })[]> {
  return work.connection.query(
    `SELECT id, name, color, name_key FROM crm_tags
      WHERE organization_id = $1 AND name_key = ANY ($2) ORDER BY id FOR KEY SHARE`,
    [work.organization_id, keys],
    { prepared: false },
  );
}
