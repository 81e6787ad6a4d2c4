import { z } from 'zod';
import { assignTag, unassignTag } from '../../shared/crm/tag-assignments/operations.ts';
import { TagAssignment, TagAssignmentInput, TaggedRecord } from '../../shared/crm/tag-assignments/record.ts';
import { id } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const PATH = '/api/v1/crm/tag-assignments';

export const tagAssignments = [
  write({
    id: 'crm.tag_assignments.create',
    method: 'post',
    path: PATH,
    scope: 'crm:write',
    summary: 'Put a tag on a deal, company or contact',
    description: 'A tag that is there already stays: 200 with the existing assignment.',
    body: TagAssignmentInput,
    status: 201,
    reply: z.strictObject({ assignment: TagAssignment }),
    also: [200],
    raises: ['unknown_reference'],
    handle: async ({ body }, work) => {
      const { assignment, isNew } = await assignTag(work, body);
      const { tag_id, resource_type, resource_id } = assignment;
      const Location = `${PATH}/${tag_id}?resource_type=${resource_type}&resource_id=${resource_id}`;
      return isNew ? new Answer(201, { assignment }, { Location }) : new Answer(200, { assignment });
    },
  }),
  write({
    id: 'crm.tag_assignments.delete',
    method: 'delete',
    path: `${PATH}/:tag_id`,
    scope: 'crm:write',
    summary: 'Take a tag from a deal, company or contact',
    description: 'The tag and the record stay. A record that does not carry the tag is 404.',
    params: z.object({ tag_id: id('tag') }),
    query: TaggedRecord,
    reply: Deleted,
    handle: async ({ params, query }, work) => {
      await unassignTag(work, params.tag_id, query);
      return deleted;
    },
  }),
];
