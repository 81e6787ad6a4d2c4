import { z } from 'zod';
import { createContact, deleteContact, updateContact } from '../../shared/crm/contacts/operations.ts';
import { contactById, contactPage } from '../../shared/crm/contacts/queries.ts';
import { Contact, ContactInput, ContactPatch, contactKind } from '../../shared/crm/contacts/record.ts';
import { contactExport } from '../../shared/crm/exports/contacts.ts';
import { references } from '../../shared/domains.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';
import { upsert } from '../http/upsert.ts';
import { orMoved } from './moved.ts';

const contact = resource({
  id: 'crm.contacts',
  path: '/api/v1/crm/contacts',
  domain: 'crm',
  one: 'a contact',
  prefix: 'cont',
});

const ContactReply = z.strictObject({ contact: Contact });

const contactList = list({
  ...contact.list,
  summary: 'List contacts',
  description: 'All filters hold together. A contact that was merged into another is not listed.',
  item: Contact,
  looked_up: contactKind,
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
    ...contact.get,
    description: 'The ID of a contact that was merged into another leads there: 301 with its place.',
    reply: ContactReply,
    also: [301],
    handle: ({ params }, reader) =>
      orMoved(reader, '/api/v1/crm/contacts', params.id, async (contact_id) => ({
        contact: await contactById(reader, contact_id),
      })),
  }),
  write({
    ...contact.create,
    description:
      'The acting user is in charge unless `owner_id` is sent. Two contacts may have the same name or e-mail; an `external_id` that another contact has is `already_exists`.',
    body: ContactInput,
    reply: ContactReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ body }, work) => ({ contact: await createContact(work, body) }),
  }),
  write({
    ...contact.update,
    body: ContactPatch,
    reply: ContactReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ params, body }, work) => ({ contact: await updateContact(work, params.id, body) }),
  }),
  upsert({
    ...contact.upsert,
    kind: contactKind,
    input: ContactInput,
    patch: ContactPatch,
    reply: ContactReply,
    raises: ['unknown_reference'],
    create: createContact,
    update: updateContact,
    show: (contact) => ({ contact }),
  }),
  write({
    ...contact.delete,
    description: 'Deals, activities and documents of the contact stay and lose the link.',
    handle: deleting((work, id) => deleteContact(work, id, references)),
  }),
];
