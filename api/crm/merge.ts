import { z } from 'zod';
import { Company } from '../../shared/crm/companies/record.ts';
import { Contact } from '../../shared/crm/contacts/record.ts';
import { companyMergeInput, contactMergeInput, Moved } from '../../shared/crm/merge.ts';
import { companyMerger, contactMerger } from '../../shared/crm/merges/mergers.ts';
import { mergeNowOrLater } from '../../shared/crm/merges/operations.ts';
import { references } from '../../shared/domains.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';

const description = `The survivor keeps its ID and values; empty ones are filled from the loser, and \`fields\` decides
field by field. Deals, activities, contacts, tags and documents of the loser move to the survivor. The loser's ID leads
there from then on: GET answers 301, writes 404. \`dry_run\` answers what would happen.

Where more than 5,000 rows refer to the loser (a document counts with its lines), a job merges: the answer is 202 with
\`job\`, and the record and \`moved\` say what is expected. Nothing is changed until the job has succeeded; then its
\`result\` has the members of the answer. If-Match holds when the job runs, too: a record that was changed or removed
meanwhile fails it with the code and sentence that the request would have had. A job that is cancelled before its end
leaves everything as it was.`;

const outcome = {
  moved: Moved,
  dry_run: z.boolean(),
  job: JobResource.nullable()
    .describe('What merges, where it takes long; null where it is done.')
    .meta({ examples: [null] }),
};

export const merges = [
  write({
    id: 'crm.companies.merge',
    method: 'post',
    path: '/api/v1/crm/companies/:id/merge',
    scope: 'crm:write',
    summary: 'Merge another company into this one',
    description,
    params: byId('comp'),
    body: companyMergeInput,
    reply: z.strictObject({ company: Company, ...outcome }),
    also: [202],
    raises: ['unknown_reference', 'cycle'],
    handle: async ({ params, body }, work) =>
      answered(await mergeNowOrLater(work, companyMerger, params.id, body, references)),
  }),
  write({
    id: 'crm.contacts.merge',
    method: 'post',
    path: '/api/v1/crm/contacts/:id/merge',
    scope: 'crm:write',
    summary: 'Merge another contact into this one',
    description,
    params: byId('cont'),
    body: contactMergeInput,
    reply: z.strictObject({ contact: Contact, ...outcome }),
    also: [202],
    raises: ['unknown_reference'],
    handle: async ({ params, body }, work) =>
      answered(await mergeNowOrLater(work, contactMerger, params.id, body, references)),
  }),
];

function answered<Result extends { job: JobResource | null }>(result: Result): Answer<Result> {
  return new Answer(result.job ? 202 : 200, result);
}
