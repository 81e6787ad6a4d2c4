import { requireRecord } from '../../db/reference.ts';
import { notFound, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Table, Work } from '../../kernel/work.ts';
import type { TagLabel } from '../tags/record.ts';
import {
  type TagAssignment,
  type TagAssignmentInput,
  type TaggedRecord,
  type TaggedType,
  tagAssignmentFacts,
} from './record.ts';

const tables: Record<TaggedType, Table> = {
  deal: { tableName: 'crm_deals' },
  company: { tableName: 'crm_companies' },
  contact: { tableName: 'crm_contacts' },
};

/**
 * Puts a tag on a record; `isNew` is false when it was there already. The record itself does not change.
 * Errors: `unknown_reference`.
 */
export async function assignTag(
  work: Work,
  input: TagAssignmentInput,
): Promise<{ assignment: TagAssignment; isNew: boolean }> {
  const [tag] = await Promise.all([
    tagFor(work, input.tag_id),
    requireRecord(work, tables[input.resource_type], input.resource_id, '/resource_id'),
  ]);
  const created = await work.connection.query<AssignmentRow>(
    `INSERT INTO crm_tag_assignments (organization_id, id, tag_id, ${input.resource_type}_id, created_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT crm_tag_assignments_once DO NOTHING
     RETURNING ${COLUMNS}`,
    [work.organization_id, newId('taga', work.now), input.tag_id, input.resource_id, work.now],
  );
  if (created[0]) {
    const assignment = assignmentOf(created[0], tag);
    work.record(tagAssignmentFacts.created, { before: null, after: assignment });
    return { assignment, isNew: true };
  }
  const found = await findAssignment(work, input.tag_id, input);
  if (!found) throw unknownReference('/resource_id', input.resource_id);
  work.nothingChanged();
  return { assignment: found, isNew: false };
}

/** Takes a tag from a record. Errors: `not_found` when it is not there. */
export async function unassignTag(work: Work, tag_id: string, record: TaggedRecord): Promise<void> {
  const found = await findAssignment(work, tag_id, record, 'FOR UPDATE OF assignment');
  if (!found) throw notFound();
  work.remove({ tableName: 'crm_tag_assignments' }, found.id);
  work.record(tagAssignmentFacts.deleted, { before: found, after: null });
}

type AssignmentRow = Pick<TagAssignment, 'id' | 'tag_id' | 'resource_type' | 'resource_id' | 'created_at'>;

const COLUMNS = 'id, tag_id, resource_type, resource_id, created_at';

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

async function tagFor(reader: Reader, id: string): Promise<Pick<TagLabel, 'name' | 'color'>> {
  const [tag] = await reader.connection.query<TagLabel>(
    'SELECT name, color FROM crm_tags WHERE organization_id = $1 AND id = $2',
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
