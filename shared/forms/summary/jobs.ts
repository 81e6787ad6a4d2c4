import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import type { SummaryPeriod } from './record.ts';

/** Sums up the responses of a form that are too many for a request; the job's result has the summary. */
export const summaryJob = job({
  name: 'forms.summarize',
  queue: 'report-export',
  payload: z.strictObject({
    job_id: z.string(),
    form_id: id('form'),
    submitted_after: z.string().optional(),
    submitted_before: z.string().optional(),
  }),
  attempts: 5,
  time_limit: 30 * 60_000,
});

/** Asks a worker to sum up the responses of a form. */
export function requestSummary(work: Work, form_id: string, period: SummaryPeriod): JobResource {
  const asked = createJob(work, { kind: 'forms.forms.summary', scope: 'forms:read', unit: null });
  const { submitted_after, submitted_before } = period;
  work.enqueue(
    summaryJob,
    {
      job_id: asked.id,
      form_id,
      ...(submitted_after !== undefined && { submitted_after }),
      ...(submitted_before !== undefined && { submitted_before }),
    },
    { job_id: asked.id },
  );
  return asked;
}
