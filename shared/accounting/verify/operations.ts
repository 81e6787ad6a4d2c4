import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { verifyBooksJob } from './jobs.ts';

/** Has a worker verify the books; the result of the job has what it found. */
export function verifyBooks(work: Work): JobResource {
  const job = createJob(work, { kind: 'accounting.reports.verify', scope: 'audit:read', unit: 'checks' });
  work.enqueue(verifyBooksJob, { job_id: job.id }, { job_id: job.id });
  return job;
}
