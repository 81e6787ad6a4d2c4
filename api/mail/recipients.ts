import { z } from 'zod';
import { booleanParameter, byId } from '../../shared/kernel/schema.ts';
import { requireCampaign } from '../../shared/mail/campaigns/queries.ts';
import { recipientPage } from '../../shared/mail/campaigns/recipients/queries.ts';
import { Recipient, recipientStatuses } from '../../shared/mail/campaigns/recipients/record.ts';
import { recipientExport } from '../../shared/mail/exports/recipients.ts';
import { requestExport } from '../../shared/platform/exports/operations.ts';
import { ExportForm } from '../../shared/platform/exports/record.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { write } from '../http/endpoint.ts';
import { inBody } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';

const PATH = '/api/v1/mail/campaigns/:id/recipients';

const filters = {
  status: manyOf(z.enum(recipientStatuses)).describe('One, or several with commas between.').optional(),
  reason: z
    .string()
    .max(100)
    .meta({ examples: ['unsubscribed'] })
    .optional(),
  bounced: booleanParameter().describe('Whether a bounce was told of it.').optional(),
  opened: booleanParameter().describe('Whether a person opened it.').optional(),
  clicked: booleanParameter().describe('Whether a person followed one of its links.').optional(),
  search: z
    .string()
    .min(1)
    .max(254)
    .describe('An e-mail, or what it begins with.')
    .meta({ examples: ['hanako'] })
    .optional(),
};

const inBodies = Object.fromEntries(
  Object.entries(filters).map(([name, schema]) => [name, inBody(schema)]),
) as typeof filters;

export const recipients = [
  list({
    id: 'mail.recipients.list',
    path: PATH,
    scope: 'mail:read',
    summary: 'List the recipients of a campaign',
    description:
      'One for each contact of the audience, as it was when the campaign began, with what became of the mail.',
    params: byId('camp'),
    item: Recipient,
    limit: { default: 50, most: 200 },
    filters: z.object(filters),
    async handle({ params, filters: asked, window }, reader) {
      await requireCampaign(reader, params.id);
      return recipientPage(reader, params.id, asked, window);
    },
  }),
  write({
    id: 'mail.recipients.export',
    method: 'post',
    path: `${PATH}/export`,
    scope: 'mail:read',
    summary: 'Export the recipients of a campaign as CSV',
    description:
      'All that the filters leave, as of one moment, in the order of the list. A worker writes the file; it is at ' +
      '`/api/v1/jobs/{id}/file` when the job has succeeded, for 7 days, or until a contact in it is erased. The header names the fields, in ' +
      'Japanese with `lang`; a text that a spreadsheet would take for a formula has an apostrophe before it. The ' +
      "job's result counts the `rows` and, in `replaced_characters`, the letters that Shift_JIS lacks.",
    params: byId('camp'),
    body: z.strictObject({ ...inBodies, ...ExportForm.shape }),
    status: 202,
    reply: z.strictObject({ job: JobResource }),
    async handle({ params, body }, work) {
      const { columns = null, encoding = 'utf-8-bom', line_ending = 'crlf', lang = 'en', ...asked } = body;
      await requireCampaign(work, params.id);
      const sent = Object.entries(asked).filter(([, value]) => value !== undefined);
      const job = await requestExport(work, recipientExport, {
        filters: { ...Object.fromEntries(sent), campaign_id: params.id },
        sort: [],
        created_after: null,
        created_before: null,
        columns,
        encoding,
        line_ending,
        lang,
      });
      return { job };
    },
  }),
];
