import { z } from 'zod';
import { createTag, deleteTag, updateTag } from '../../shared/crm/tags/operations.ts';
import { tagById, tagPage } from '../../shared/crm/tags/queries.ts';
import { Tag, TagInput, TagPatch } from '../../shared/crm/tags/record.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const TagReply = z.strictObject({ tag: Tag });

export const tags = [
  list({
    id: 'crm.tags.list',
    path: '/api/v1/crm/tags',
    scope: 'crm:read',
    summary: 'List tags',
    description: 'With the number of records that carry each of them.',
    item: Tag,
    sorts: ['name'],
    handle: ({ window }, reader) => tagPage(reader, window),
  }),
  read({
    id: 'crm.tags.get',
    method: 'get',
    path: '/api/v1/crm/tags/:id',
    scope: 'crm:read',
    summary: 'Read a tag',
    description: '`usage_count` counts companies, contacts and deals together.',
    params: byId('tag'),
    reply: TagReply,
    handle: async ({ params }, reader) => ({ tag: await tagById(reader, params.id) }),
  }),
  write({
    id: 'crm.tags.create',
    method: 'post',
    path: '/api/v1/crm/tags',
    scope: 'crm:write',
    summary: 'Create a tag',
    description: 'Its name is unique in the organization without regard to case and width.',
    body: TagInput,
    status: 201,
    reply: TagReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ tag: createTag(work, body) }),
  }),
  write({
    id: 'crm.tags.update',
    method: 'patch',
    path: '/api/v1/crm/tags/:id',
    scope: 'crm:write',
    summary: 'Change a tag',
    description: 'Records that carry the tag show it as it is now; they do not count as changed.',
    params: byId('tag'),
    body: TagPatch,
    reply: TagReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({ tag: await updateTag(work, params.id, body) }),
  }),
  write({
    id: 'crm.tags.delete',
    method: 'delete',
    path: '/api/v1/crm/tags/:id',
    scope: 'crm:write',
    summary: 'Delete a tag',
    description: 'It is taken from every record that carries it.',
    params: byId('tag'),
    reply: Deleted,
    handle: async ({ params }, work) => {
      await deleteTag(work, params.id);
      return deleted;
    },
  }),
];
