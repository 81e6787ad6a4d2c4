import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const HOUR = 3_600_000;

/**
 * Merges two records in one transaction. It stands in the queue of imports, as they are the other long writes of
 * records: an operator who pauses that queue pauses both, and one import leaves a place for a merge.
 */
export const mergeJob = job({
  name: 'crm.merge_records',
  queue: 'csv-import',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 5,
  time_limit: 2 * HOUR,
});
