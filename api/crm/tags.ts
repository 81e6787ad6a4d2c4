import { z } from 'zod';
import { createTag, deleteTag, updateTag } from '../../shared/crm/tags/operations.ts';
import { tagById, tagPage } from '../../shared/crm/tags/queries.ts';
import { Tag, TagInput, TagPatch, tagKind } from '../../shared/crm/tags/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';

const tag = resource({
  id: 'crm.tags',
  path: '/api/v1/crm/tags',
  domain: 'crm',
  one: 'a tag',
  prefix: 'tag',
});

const TagReply = z.strictObject({ tag: Tag });

export const tags = [
  list({
    ...tag.list,
    summary: 'List tags',
    description: 'With the number of records that carry each of them.',
    item: Tag,
    looked_up: tagKind,
    sorts: ['name'],
    handle: ({ filters, window }, reader) => tagPage(reader, filters, window),
  }),
  read({
    ...tag.get,
    description: '`usage_count` counts companies, contacts and deals together.',
    reply: TagReply,
    handle: async ({ params }, reader) => ({ tag: await tagById(reader, params.id) }),
  }),
  write({
    ...tag.create,
    description: 'Its name is unique in the organization without regard to case and width.',
    body: TagInput,
    reply: TagReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ tag: createTag(work, body) }),
  }),
  write({
    ...tag.update,
    description: 'Records that carry the tag show it as it is now; they do not count as changed.',
    body: TagPatch,
    reply: TagReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({ tag: await updateTag(work, params.id, body) }),
  }),
  write({
    ...tag.delete,
    description: 'It is taken from every record that carries it; each of them changes.',
    handle: deleting(deleteTag),
  }),
];
