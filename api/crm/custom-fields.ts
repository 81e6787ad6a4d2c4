import { z } from 'zod';
import { customFieldById, customFieldPage } from '../../shared/crm/custom-fields/definitions.ts';
import {
  createCustomField,
  deleteCustomField,
  updateCustomField,
} from '../../shared/crm/custom-fields/operations.ts';
import { customFieldKinds } from '../../shared/crm/custom-fields/queries.ts';
import {
  CustomField,
  CustomFieldInput,
  CustomFieldPatch,
  customFieldKind,
} from '../../shared/crm/custom-fields/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';

const customField = resource({
  id: 'crm.custom_fields',
  path: '/api/v1/crm/custom-fields',
  domain: 'crm',
  one: 'a custom field',
  prefix: 'cfld',
});

const CustomFieldReply = z.strictObject({ custom_field: CustomField });

export const customFields = [
  list({
    ...customField.list,
    summary: 'List custom fields',
    description: 'Those of companies, contacts and deals together unless `kind` is sent.',
    item: CustomField,
    looked_up: customFieldKind,
    filters: z.object({ kind: z.enum(customFieldKinds).optional() }),
    handle: ({ filters, window }, reader) => customFieldPage(reader, filters, window),
  }),
  read({
    ...customField.get,
    description:
      '`kind`, `key` and `type` never change after its creation; `key` is the name of its value in `custom_fields` of the records.',
    reply: CustomFieldReply,
    handle: async ({ params }, reader) => ({ custom_field: await customFieldById(reader, params.id) }),
  }),
  write({
    ...customField.create,
    summary: 'Give companies, contacts or deals another field',
    description: 'At most 100 for each kind of record.',
    body: CustomFieldInput,
    reply: CustomFieldReply,
    raises: ['already_exists', 'limit_reached'],
    handle: async ({ body }, work) => ({ custom_field: await createCustomField(work, body) }),
  }),
  write({
    ...customField.update,
    summary: 'Change the label or the options of a custom field',
    description: 'Values that records have stay, also those of an option that is taken away.',
    body: CustomFieldPatch,
    reply: CustomFieldReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({
      custom_field: await updateCustomField(work, params.id, body),
    }),
  }),
  write({
    ...customField.delete,
    description: 'Its values are removed from the records that have one; each of them counts as changed.',
    handle: deleting(deleteCustomField),
  }),
];
