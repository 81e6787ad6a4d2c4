import { z } from 'zod';
import { email } from '../../shared/kernel/schema.ts';
import { suppressionExport } from '../../shared/mail/exports/suppressions.ts';
import { createSuppression, deleteSuppression } from '../../shared/mail/suppressions/operations.ts';
import { suppressionPage } from '../../shared/mail/suppressions/queries.ts';
import { Suppression, SuppressionInput } from '../../shared/mail/suppressions/record.ts';
import { write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';

const suppression = resource({
  id: 'mail.suppressions',
  path: '/api/v1/mail/suppressions',
  domain: 'mail',
  one: 'a suppression',
  prefix: 'supp',
});

const suppressionList = list({
  ...suppression.list,
  summary: 'List suppressions',
  description:
    'One of an erased contact has no `email`; the filter `email` finds it all the same, by its hash.',
  item: Suppression,
  filters: z.object({
    email: email().describe('The suppression of this very address, also of an erased one.').optional(),
    search: z
      .string()
      .max(200)
      .describe('A part of the e-mail.')
      .meta({ examples: ['@example.co.jp'] })
      .optional(),
    reason: z
      .string()
      .max(200)
      .describe('Only suppressions with this very reason.')
      .meta({ examples: ['hard_bounce'] })
      .optional(),
  }),
  handle: ({ filters, window }, reader) => suppressionPage(reader, filters, window),
});

export const suppressions = [
  suppressionList,
  exportOf(suppressionList, suppressionExport),
  write({
    ...suppression.create,
    summary: 'Suppress an address',
    description:
      'It is never mailed again, whether it is a contact’s or not; a contact keeps its status. One that is suppressed already is refused with `already_exists`, and `suppression_id` names the suppression.',
    body: SuppressionInput,
    reply: z.strictObject({ suppression: Suppression }),
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ suppression: await createSuppression(work, body) }),
  }),
  write({
    ...suppression.delete,
    summary: 'Lift a suppression',
    description: 'The address may be mailed again; a contact that bounced has to be made active by itself.',
    handle: deleting(deleteSuppression),
  }),
];
