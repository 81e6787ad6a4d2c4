import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const HOUR = 3_600_000;

/** Compares the sums that reports read with the lines that they were made of. */
export const verifyBooksJob = job({
  name: 'accounting.verify_books',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 3,
  time_limit: HOUR,
});
