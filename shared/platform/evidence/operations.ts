import { allows, type Scope } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../jobs/operations.ts';
import type { JobResource } from '../jobs/record.ts';
import { exportEvidenceJob, verifyEvidenceJob } from './jobs.ts';
import type { AskedEvidence, SourceOfDomain } from './source.ts';

/** Has a worker verify the evidence; the result of the job has what it found. */
export function verifyEvidence(work: Work): JobResource {
  const job = createJob(work, { kind: 'platform.evidence.verify', scope: 'audit:read', unit: 'entries' });
  work.enqueue(verifyEvidenceJob, { job_id: job.id }, { job_id: job.id });
  return job;
}

/**
 * Has a worker put the files together that the filters leave in the domains that the caller may read, with their index. The
 * holders of that right may have the file; only the caller, where it has those of several domains.
 */
export function exportEvidence(
  work: Work,
  asked: AskedEvidence,
  sources: readonly SourceOfDomain[],
): JobResource {
  const domains = sources
    .map(({ domain }) => domain)
    .filter((domain) => allows(work.actor.grants, `${domain}:read` as Scope));
  const scope = domains.length === 1 ? (`${domains[0]}:read` as Scope) : '*';
  const job = createJob(work, { kind: 'platform.evidence.export', scope, unit: 'files' });
  work.enqueue(exportEvidenceJob, { job_id: job.id, asked, domains }, { job_id: job.id });
  return job;
}
