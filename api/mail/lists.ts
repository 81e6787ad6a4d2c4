import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import { joinMailList, leaveMailList } from '../../shared/mail/lists/members.ts';
import { createMailList, deleteMailList, updateMailList } from '../../shared/mail/lists/operations.ts';
import { mailListById, mailListPage } from '../../shared/mail/lists/queries.ts';
import {
  MailList,
  MailListInput,
  MailListPatch,
  MailMembership,
  mailListKind,
} from '../../shared/mail/lists/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const mailList = resource({
  id: 'mail.lists',
  path: '/api/v1/mail/lists',
  domain: 'mail',
  one: 'a list',
  prefix: 'mlist',
});

const MailListReply = z.strictObject({ list: MailList });
const memberPath = '/api/v1/mail/lists/:id/contacts/:contact_id';
const memberParams = z.object({ id: id('mlist'), contact_id: id('mcont') });

export const mailLists = [
  list({
    ...mailList.list,
    summary: 'List the lists',
    description: 'With the number of contacts in each, and of those that may be mailed.',
    item: MailList,
    looked_up: mailListKind,
    sorts: ['name'],
    handle: ({ filters, window }, reader) => mailListPage(reader, filters, window),
  }),
  read({
    ...mailList.get,
    description: '`contact_count` counts all contacts in it, `active_count` those that may be mailed.',
    reply: MailListReply,
    handle: async ({ params }, reader) => ({ list: await mailListById(reader, params.id) }),
  }),
  write({
    ...mailList.create,
    description: 'It is empty: contacts are put into it one by one or by an import that names it.',
    body: MailListInput,
    reply: MailListReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ list: createMailList(work, body) }),
  }),
  write({
    ...mailList.update,
    description: `${FIELDS_SENT} Its contacts stay in it.`,
    body: MailListPatch,
    reply: MailListReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({ list: await updateMailList(work, params.id, body) }),
  }),
  write({
    ...mailList.delete,
    description:
      'Its contacts stay. One that a form or a campaign that is to begin names is refused: `in_use`.',
    raises: ['in_use'],
    handle: deleting(deleteMailList),
  }),
  write({
    id: 'mail.lists.join',
    method: 'put',
    path: memberPath,
    scope: 'mail:write',
    summary: 'Put a contact into a list',
    description:
      'One that is there already stays as it is. A list that the person has left takes a `consent` of the contact whose `at` is later than that.',
    params: memberParams,
    reply: z.strictObject({ list: MailList, membership: MailMembership }),
    raises: ['consent_required'],
    handle: ({ params }, work) => joinMailList(work, params.id, params.contact_id),
  }),
  write({
    id: 'mail.lists.leave',
    method: 'delete',
    path: memberPath,
    scope: 'mail:write',
    summary: 'Take a contact out of a list',
    description:
      'A membership that the person has ended stays, as the record of it: 409 `invalid_transition`.',
    params: memberParams,
    reply: Deleted,
    raises: ['invalid_transition'],
    handle: async ({ params }, work) => {
      await leaveMailList(work, params.id, params.contact_id);
      return deleted;
    },
  }),
];
