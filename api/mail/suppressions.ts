import { z } from 'zod';
import { byId, email } from '../../shared/kernel/schema.ts';
import { suppressionExport } from '../../shared/mail/exports/suppressions.ts';
import { createSuppression, deleteSuppression } from '../../shared/mail/suppressions/operations.ts';
import { suppressionPage } from '../../shared/mail/suppressions/queries.ts';
import { Suppression, SuppressionInput } from '../../shared/mail/suppressions/record.ts';
import { write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const suppressionList = list({
  id: 'mail.suppressions.list',
  path: '/api/v1/mail/suppressions',
  scope: 'mail:read',
  summary: 'List suppressions',
  description:
    'One of an erased contact has no `email`; the filter `email` finds it all the same, by its hash.',
  item: Suppression,
  filters: z.object({
    email: email().describe('The suppression of this very address, also of an erased one.').optional(),
  }),
  handle: ({ filters, window }, reader) => suppressionPage(reader, filters, window),
});

export const suppressions = [
  suppressionList,
  exportOf(suppressionList, suppressionExport),
  write({
    id: 'mail.suppressions.create',
    method: 'post',
    path: '/api/v1/mail/suppressions',
    scope: 'mail:write',
    summary: 'Suppress an address',
    description:
      'It is never mailed again, whether it is a contact’s or not; a contact keeps its status. One that is suppressed already is refused with `already_exists`, and `suppression_id` names the suppression.',
    body: SuppressionInput,
    status: 201,
    reply: z.strictObject({ suppression: Suppression }),
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ suppression: await createSuppression(work, body) }),
  }),
  write({
    id: 'mail.suppressions.delete',
    method: 'delete',
    path: '/api/v1/mail/suppressions/:id',
    scope: 'mail:write',
    summary: 'Lift a suppression',
    description: 'The address may be mailed again; a contact that bounced has to be made active by itself.',
    params: byId('supp'),
    reply: Deleted,
    handle: async ({ params }, work) => {
      await deleteSuppression(work, params.id);
      return deleted;
    },
  }),
];
