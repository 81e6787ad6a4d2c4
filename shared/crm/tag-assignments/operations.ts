import { notFound, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { tagsTogether } from '../merge.ts';
import { lockTagged, recordTags } from '../tagged-records.ts';
import type { TagLabel } from '../tags/record.ts';
import {
  type TagAssignment,
  type TagAssignmentInput,
  type TaggedRecord,
  tagAssignmentFacts,
} from './record.ts';

/**
 * Puts a tag on a record, which is a change of the record; `isNew` is false when it was there already. The tag is held
 * before the record, as by the removal of a tag. Errors: `unknown_reference`.
 */
export async function assignTag(
  work: Work,
  input: TagAssignmentInput,
): Promise<{ assignment: TagAssignment; isNew: boolean }> {
  const { tag_id, resource_type, resource_id } = input;
  const tag = await holdTag(work, tag_id);
  const record = await lockTagged(work, resource_type, resource_id);
  if (!record) throw unknownReference('/resource_id', resource_id);
  const found = await findAssignment(work, tag_id, input);
  if (found) {
    work.nothingChanged();
    return { assignment: found, isNew: false };
  }
  const id = newId('taga', work.now);
  const created_at = work.now.toISOString();
  const assignment = assignmentOf({ id, tag_id, resource_type, resource_id, created_at }, tag);
  work.insert(ASSIGNMENTS, { id, tag_id, [`${resource_type}_id`]: resource_id, created_at });
  work.record(tagAssignmentFacts.created, { before: null, after: assignment });
  recordTags(work, resource_type, [record], (tags) => tagsTogether(tags, [tag]));
  return { assignment, isNew: true };
}

/** Takes a tag from a record, which is a change of the record. Errors: `not_found` when it is not there. */
export async function unassignTag(work: Work, tag_id: string, carrier: TaggedRecord): Promise<void> {
  const { resource_type, resource_id } = carrier;
  const record = await lockTagged(work, resource_type, resource_id);
  const found = await findAssignment(work, tag_id, carrier, 'FOR UPDATE OF assignment');
  if (!record || !found) throw notFound();
  work.remove(ASSIGNMENTS, found.id);
  work.record(tagAssignmentFacts.deleted, { before: found, after: null });
  recordTags(work, resource_type, [record], (tags) => tags.filter(({ id }) => id !== tag_id));
}

const ASSIGNMENTS = { tableName: 'crm_tag_assignments' };

type AssignmentRow = Pick<TagAssignment, 'id' | 'tag_id' | 'resource_type' | 'resource_id' | 'created_at'>;

function assignmentOf(row: AssignmentRow, tag: Pick<TagLabel, 'name' | 'color'>): TagAssignment {
  const { id, tag_id, resource_type, resource_id, created_at } = row;
  return {
    id,
    object: 'crm.tag_assignment',
    tag_id,
    resource_type,
    resource_id,
    tag_name: tag.name,
    tag_color: tag.color,
    created_at,
    updated_at: created_at,
  };
}

async function holdTag(reader: Reader, id: string): Promise<TagLabel> {
  const [tag] = await reader.connection.query<TagLabel>(
    'SELECT id, name, color FROM crm_tags WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [reader.organization_id, id],
  );
  if (!tag) throw unknownReference('/tag_id', id);
  return tag;
}

async function findAssignment(
  reader: Reader,
  tag_id: string,
  { resource_type, resource_id }: TaggedRecord,
  lock = '',
): Promise<TagAssignment | null> {
  const [row] = await reader.connection.query<AssignmentRow & TagLabel>(
    `SELECT assignment.id, tag_id, resource_type, resource_id, assignment.created_at, tag.name, tag.color
       FROM crm_tag_assignments AS assignment
       JOIN crm_tags AS tag ON tag.organization_id = assignment.organization_id AND tag.id = tag_id
      WHERE assignment.organization_id = $1 AND tag_id = $2 AND resource_id = $3 AND resource_type = $4 ${lock}`,
    [reader.organization_id, tag_id, resource_id, resource_type],
  );
  return row ? assignmentOf(row, row) : null;
}
