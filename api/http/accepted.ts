import type { JobResource } from '../../shared/platform/jobs/record.ts';
import { Answer } from './declaration.ts';
import type { Request } from './request.ts';

/** Says that a job goes on. */
export function acceptedAs(job: JobResource): Answer<{ job: JobResource }> {
  return new Answer(202, { job }, { Location: `/api/v1/jobs/${job.id}` });
}

/** Whether the caller does not wait for what a worker makes (RFC 7240); the answer says that it was heard. */
export function prefersAsync(request: Request): boolean {
  const isAsked = request
    .get('Prefer')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'respond-async');
  if (isAsked) request.set('Preference-Applied', 'respond-async');
  return isAsked;
}

/** Whether a job is not over yet. */
export function isUnderWay({ status }: JobResource): boolean {
  return status === 'queued' || status === 'running';
}
