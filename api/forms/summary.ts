import { z } from 'zod';
import { requireFilters } from '../../shared/forms/responses/asked.ts';
import { requestSummary } from '../../shared/forms/summary/jobs.ts';
import { isLarge, SUMMED_AT_ONCE, summaryOf } from '../../shared/forms/summary/queries.ts';
import { FormSummary } from '../../shared/forms/summary/record.ts';
import { byId, timestampInput } from '../../shared/kernel/schema.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { acceptedAs } from '../http/accepted.ts';
import { stepwise } from '../http/endpoint.ts';

/** What the responses of a form come to. */
export const summary = stepwise({
  id: 'forms.forms.summary',
  method: 'get',
  path: '/api/v1/forms/:id/summary',
  scope: 'forms:read',
  summary: 'Sum up the responses of a form',
  description:
    'Of all versions, without spam: how often each option was chosen, what numbers come to, and how far visitors came; views, starts and ' +
    `\`reached\` may lag by 10 seconds. Of more than ${SUMMED_AT_ONCE.toLocaleString('en')} responses the answer is 202 with a job, whose \`result\` has the \`summary\`.`,
  params: byId('form'),
  query: z.strictObject({
    submitted_after: timestampInput().describe('Submitted at this time or later.').optional(),
    submitted_before: timestampInput().describe('Submitted before this time.').optional(),
  }),
  reply: z.union([z.strictObject({ summary: FormSummary }), z.strictObject({ job: JobResource })]),
  also: [202],
  handle: async ({ params, query }, { caller, read, write }) => {
    const large = await read(async (reader) => {
      await requireFilters(reader, params.id, {}, 'query');
      return isLarge(reader, params.id, query);
    });
    if (!large) return { summary: await read((reader) => summaryOf(reader, params.id, query)) };
    const { organization_id } = caller;
    return acceptedAs(
      await write({ organization_id }, async (work) => requestSummary(work, params.id, query)),
    );
  },
});
