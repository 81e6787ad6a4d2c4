import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import {
  createMailContact,
  deleteMailContact,
  updateMailContact,
} from '../../shared/mail/contacts/operations.ts';
import { mailContactById, mailContactPage } from '../../shared/mail/contacts/queries.ts';
import {
  contactStatuses,
  MailContact,
  MailContactInput,
  MailContactPatch,
  mailContactKind,
} from '../../shared/mail/contacts/record.ts';
import { mailContactExport } from '../../shared/mail/exports/contacts.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';
import { upsert } from '../http/upsert.ts';

const mailContact = resource({
  id: 'mail.contacts',
  path: '/api/v1/mail/contacts',
  domain: 'mail',
  one: 'a mail contact',
  prefix: 'mcont',
});

const MailContactReply = z.strictObject({ contact: MailContact });

/** What leaves contacts out of a list of them, and out of its export. */
const mailContactFilters = z.object({
  search: z
    .string()
    .max(200)
    .describe('Part of a name, in either order, or of the e-mail.')
    .meta({ examples: ['山田'] })
    .optional(),
  list_id: id('mlist').describe('Only contacts of this list, also those that have left it.').optional(),
  status: manyOf(z.enum(contactStatuses))
    .describe('Only contacts of this status, or of several with commas between.')
    .meta({ examples: ['unsubscribed,bounced'] })
    .optional(),
});

const mailContactList = list({
  ...mailContact.list,
  summary: 'List mail contacts',
  description:
    'Of every status: only `active` ones may be mailed. With `list_id`, those are listed too who have left the list themselves.',
  item: MailContact,
  looked_up: mailContactKind,
  filters: mailContactFilters,
  sorts: ['email'],
  limit: { default: 20, most: 100 },
  handle: ({ filters, window }, reader) => mailContactPage(reader, filters, window),
});

export const mailContacts = [
  mailContactList,
  exportOf(mailContactList, mailContactExport),
  read({
    ...mailContact.get,
    description:
      '`list_ids` names the lists that the person has left, too. `crm_contact_id` follows the e-mail and is computed for each answer.',
    reply: MailContactReply,
    handle: async ({ params }, reader) => ({ contact: await mailContactById(reader, params.id) }),
  }),
  write({
    ...mailContact.create,
    description:
      'It is active. A known e-mail (compared in lower case after NFKC) is refused with `already_exists`, and `existing_id` names whose it is, as `contact_id` does; so is an `external_id` that another contact has; one that must never be mailed again with `suppressed`, and `suppression_id` names why.',
    body: MailContactInput,
    reply: MailContactReply,
    raises: ['already_exists', 'suppressed', 'unknown_reference'],
    handle: async ({ body }, work) => ({ contact: await createMailContact(work, body) }),
  }),
  write({
    ...mailContact.update,
    description: `${FIELDS_SENT} From \`unsubscribed\` back to \`active\` takes a \`consent\` whose \`at\` is later than the refusal, in this change or before it; from \`bounced\` it takes that no suppression stands.`,
    body: MailContactPatch,
    reply: MailContactReply,
    raises: ['already_exists', 'consent_required', 'suppressed'],
    handle: async ({ params, body }, work) => ({ contact: await updateMailContact(work, params.id, body) }),
  }),
  upsert({
    ...mailContact.upsert,
    description:
      'A new contact is active: `status` can only be changed. An e-mail that another contact has is `already_exists`.',
    kind: mailContactKind,
    input: MailContactInput,
    patch: MailContactPatch,
    reply: MailContactReply,
    raises: ['consent_required', 'suppressed'],
    create: createMailContact,
    update: updateMailContact,
    show: (contact) => ({ contact }),
  }),
  write({
    ...mailContact.delete,
    summary: 'Erase a mail contact',
    description:
      'Its data is gone. Where its status was not `active`, a suppression stays that tells the address by a hash alone.',
    handle: deleting(deleteMailContact),
  }),
];
