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

const ASKED = { job_id: z.string(), asked: z.record(z.string(), z.unknown()) };

/** Puts originals of the domains that the caller may read together in a zip with their index. */
export const exportEvidenceJob = job({
  // A name of its own: workers of the release before leave it to those that know the domains.
  name: 'evidence.export-domains',
  queue: 'report-export',
  payload: z.strictObject({ ...ASKED, domains: z.array(z.string()) }),
  attempts: 5,
  time_limit: 2 * HOUR,
});

/** What was asked of the release before, which read accounting alone. */
export const exportAccountingEvidenceJob = job({
  name: 'evidence.export',
  queue: 'report-export',
  payload: z.strictObject(ASKED),
  attempts: 5,
  time_limit: 2 * HOUR,
});
