import { z } from 'zod';
import { job } from '../../kernel/job.ts';

/** What attendance does once a day of each organization, after midnight of its own clock. */
export const dailyJob = job({
  name: 'attendance.daily',
  queue: 'report-export',
  payload: z.strictObject({}),
  attempts: 10,
  time_limit: 15 * 60_000,
});
