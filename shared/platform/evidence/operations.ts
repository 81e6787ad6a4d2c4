import type { Scope } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../jobs/operations.ts';
import type { JobResource } from '../jobs/record.ts';
import { exportEvidenceJob, verifyEvidenceJob } from './jobs.ts';
import type { AskedEvidence } from './source.ts';

/** Has a worker verify the evidence; the result of the job has what it found. */
export function verifyEvidence(work: Work): JobResource {
  const job = createJob(work, { kind: 'platform.evidence.verify', scope: 'audit:read', unit: 'entries' });
  work.enqueue(verifyEvidenceJob, { job_id: job.id }, { job_id: job.id });
  return job;
}

/** Has a worker put the files together that the filters leave, with their index; `scope` is who may have the file. */
export function exportEvidence(work: Work, asked: AskedEvidence, scope: Scope): JobResource {
  const job = createJob(work, { kind: 'platform.evidence.export', scope, unit: 'files' });
  work.enqueue(exportEvidenceJob, { job_id: job.id, asked }, { job_id: job.id });
  return job;
}
