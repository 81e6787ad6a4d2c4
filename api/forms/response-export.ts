import { z } from 'zod';
import { headerKinds, responseExport } from '../../shared/forms/exports/responses.ts';
import { requireFilters } from '../../shared/forms/responses/asked.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { requestExport } from '../../shared/platform/exports/operations.ts';
import { ExportForm } from '../../shared/platform/exports/record.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { write } from '../http/endpoint.ts';
import { inBody } from '../http/exports.ts';
import { responseFilters } from './response-filters.ts';

const filters = Object.fromEntries(
  Object.entries(responseFilters).map(([name, schema]) => [name, inBody(schema)]),
) as typeof responseFilters;

/** The responses of a form as a file. */
export const responseFile = write({
  id: 'forms.responses.export',
  method: 'post',
  path: '/api/v1/forms/:id/responses/export',
  scope: 'forms:read',
  params: byId('form'),
  summary: 'Export the responses of a form as CSV',
  description:
    'All that the filters leave, as of one moment, the newest first. A worker writes the file; it is at `/api/v1/jobs/{id}/file` when the ' +
    'job has succeeded, for 7 days. It has a column for each field of each version: those of the newest in its order, then vanished ones, the ' +
    'latest first. Names, addresses and matrices have one for each part, and several options stand in one cell with `; ` between. A text that ' +
    "a spreadsheet would take for a formula has an apostrophe before it. The job's result counts the `rows` and, in `replaced_characters`, the " +
    'letters that Shift_JIS lacks.',
  body: z.strictObject({
    ...filters,
    header: z
      .enum(headerKinds)
      .describe(
        '`labels` unless said: the newest label of each field. `both`: a line of labels, and one of IDs.',
      )
      .optional(),
    values: z
      .enum(['labels', 'ids'])
      .describe('How options stand in the cells; `labels` unless said.')
      .optional(),
    encoding: ExportForm.shape.encoding,
    line_ending: ExportForm.shape.line_ending,
  }),
  status: 202,
  reply: z.strictObject({ job: JobResource }),
  async handle({ params, body }, work) {
    const {
      header = 'labels',
      values = 'labels',
      encoding = 'utf-8-bom',
      line_ending = 'crlf',
      ...asked
    } = body;
    await requireFilters(work, params.id, asked, 'body');
    const sent = Object.entries(asked).filter(([, value]) => value !== undefined);
    const job = await requestExport(work, responseExport, {
      filters: { ...Object.fromEntries(sent), form_id: params.id, header, values },
      sort: [],
      created_after: null,
      created_before: null,
      columns: null,
      encoding,
      line_ending,
    });
    return { job };
  },
});
