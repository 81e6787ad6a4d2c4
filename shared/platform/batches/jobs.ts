import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const HOUR = 3_600_000;

/**
 * Does one thing to many records. It stands in the queue of imports, the other long writes of records, where an
 * organization has two places.
 */
export const runBatchJob = job({
  name: 'platform.run_batch',
  queue: 'csv-import',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 8,
  time_limit: 2 * HOUR,
});

/**
 * Puts the files of many records together. It stands in the queue of exports, without a place while what renders
 * PDFs makes those that are missing: that has a queue and processes of its own.
 */
export const collectFilesJob = job({
  name: 'platform.collect_files',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 5,
  time_limit: 2 * HOUR,
});
