import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const HOUR = 3_600_000;

/** Recomputes the chain of an organization's evidence, and the hashes of its files. */
export const verifyEvidenceJob = job({
  name: 'evidence.verify',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 3,
  time_limit: 12 * HOUR,
});

/** Puts originals of the domains that the caller may read together in a zip with their index. */
export const exportEvidenceJob = job({
  name: 'evidence.export',
  queue: 'report-export',
  payload: z.strictObject({
    job_id: z.string(),
    asked: z.record(z.string(), z.unknown()),
    // Those who asked the release before could read accounting alone.
    domains: z.array(z.string()).default(['accounting']),
  }),
  attempts: 5,
  time_limit: 2 * HOUR,
});
