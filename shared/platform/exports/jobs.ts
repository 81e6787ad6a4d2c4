import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const HOUR = 3_600_000;

/** Writes a list to a file. */
export const exportJob = job({
  name: 'platform.export_list',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 5,
  time_limit: 2 * HOUR,
});
