import { z } from 'zod';
import { customFieldById, customFieldPage } from '../../shared/crm/custom-fields/definitions.ts';
import {
  createCustomField,
  deleteCustomField,
  updateCustomField,
} from '../../shared/crm/custom-fields/operations.ts';
import { customFieldKinds } from '../../shared/crm/custom-fields/queries.ts';
import { CustomField, CustomFieldInput, CustomFieldPatch } from '../../shared/crm/custom-fields/record.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const CustomFieldReply = z.strictObject({ custom_field: CustomField });

export const customFields = [
  list({
    id: 'crm.custom_fields.list',
    path: '/api/v1/crm/custom-fields',
    scope: 'crm:read',
    summary: 'List custom fields',
    description: 'Those of companies, contacts and deals together unless `kind` is sent.',
    item: CustomField,
    filters: z.object({ kind: z.enum(customFieldKinds).optional() }),
    handle: ({ filters, window }, reader) => customFieldPage(reader, filters, window),
  }),
  read({
    id: 'crm.custom_fields.get',
    method: 'get',
    path: '/api/v1/crm/custom-fields/:id',
    scope: 'crm:read',
    summary: 'Read a custom field',
    description:
      '`kind`, `key` and `type` never change after its creation; `key` is the name of its value in `custom_fields` of the records.',
    params: byId('cfld'),
    reply: CustomFieldReply,
    handle: async ({ params }, reader) => ({ custom_field: await customFieldById(reader, params.id) }),
  }),
  write({
    id: 'crm.custom_fields.create',
    method: 'post',
    path: '/api/v1/crm/custom-fields',
    scope: 'crm:write',
    summary: 'Give companies, contacts or deals another field',
    description: 'At most 100 for each kind of record.',
    body: CustomFieldInput,
    status: 201,
    reply: CustomFieldReply,
    raises: ['already_exists', 'limit_reached'],
    handle: async ({ body }, work) => ({ custom_field: await createCustomField(work, body) }),
  }),
  write({
    id: 'crm.custom_fields.update',
    method: 'patch',
    path: '/api/v1/crm/custom-fields/:id',
    scope: 'crm:write',
    summary: 'Change the label or the options of a custom field',
    description: 'Values that records have stay, also those of an option that is taken away.',
    params: byId('cfld'),
    body: CustomFieldPatch,
    reply: CustomFieldReply,
    handle: async ({ params, body }, work) => ({
      custom_field: await updateCustomField(work, params.id, body),
    }),
  }),
  write({
    id: 'crm.custom_fields.delete',
    method: 'delete',
    path: '/api/v1/crm/custom-fields/:id',
    scope: 'crm:write',
    summary: 'Delete a custom field',
    description: 'Its values are removed from the records that have one; each of them counts as changed.',
    params: byId('cfld'),
    reply: Deleted,
    handle: async ({ params }, work) => {
      await deleteCustomField(work, params.id);
      return deleted;
    },
  }),
];
