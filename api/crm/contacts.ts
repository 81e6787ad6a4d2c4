import { z } from 'zod';
import { createContact, deleteContact, updateContact } from '../../shared/crm/contacts/operations.ts';
import { contactById, contactPage } from '../../shared/crm/contacts/queries.ts';
import { Contact, ContactInput, ContactPatch } from '../../shared/crm/contacts/record.ts';
import { contactExport } from '../../shared/crm/exports/contacts.ts';
import { references } from '../../shared/domains.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';
import { orMoved } from './moved.ts';

const ContactReply = z.strictObject({ contact: Contact });

const contactList = list({
  id: 'crm.contacts.list',
  path: '/api/v1/crm/contacts',
  scope: 'crm:read',
  summary: 'List contacts',
  description: 'All filters hold together. A contact that was merged into another is not listed.',
  item: Contact,
  filters: z.object({
    search: z
      .string()
      .max(200)
      .describe('Part of a name or its kana (in either order), of the e-mail or of the phone number.')
      .meta({ examples: ['山田'] })
      .optional(),
    company_id: id('comp').optional(),
    owner_id: id('usr').optional(),
    tag_id: id('tag').optional(),
  }),
  sorts: ['name', 'first_name', 'last_name', 'email'],
  handle: ({ filters, window }, reader) => contactPage(reader, filters, window),
});

export const contacts = [
  contactList,
  exportOf(contactList, contactExport),
  read({
    id: 'crm.contacts.get',
    method: 'get',
    path: '/api/v1/crm/contacts/:id',
    scope: 'crm:read',
    summary: 'Read a contact',
    description: 'The ID of a contact that was merged into another leads there: 301 with its place.',
    params: byId('cont'),
    reply: ContactReply,
    also: [301],
    handle: ({ params }, reader) =>
      orMoved(reader, '/api/v1/crm/contacts', params.id, async (contact_id) => ({
        contact: await contactById(reader, contact_id),
      })),
  }),
  write({
    id: 'crm.contacts.create',
    method: 'post',
    path: '/api/v1/crm/contacts',
    scope: 'crm:write',
    summary: 'Create a contact',
    description:
      'The acting user is in charge unless `owner_id` is sent. Two contacts may have the same name or e-mail; an `external_id` that another contact has is `already_exists`.',
    body: ContactInput,
    status: 201,
    reply: ContactReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ body }, work) => ({ contact: await createContact(work, body) }),
  }),
  write({
    id: 'crm.contacts.update',
    method: 'patch',
    path: '/api/v1/crm/contacts/:id',
    scope: 'crm:write',
    summary: 'Change a contact',
    description: 'Only the fields sent change; null clears an optional one.',
    params: byId('cont'),
    body: ContactPatch,
    reply: ContactReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ params, body }, work) => ({ contact: await updateContact(work, params.id, body) }),
  }),
  write({
    id: 'crm.contacts.delete',
    method: 'delete',
    path: '/api/v1/crm/contacts/:id',
    scope: 'crm:write',
    summary: 'Delete a contact',
    description: 'Deals, activities and documents of the contact stay and lose the link.',
    params: byId('cont'),
    reply: Deleted,
    handle: async ({ params }, work) => {
      await deleteContact(work, params.id, references);
      return deleted;
    },
  }),
];
