import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id } from '../../kernel/schema.ts';

const HOUR = 3_600_000;

/** Computes the records of open periods again. */
export const recalculateJob = job({
  name: 'attendance.recalculate',
  queue: 'report-export',
  payload: z.strictObject({ recalculation_id: id('arcl'), job_id: id('job') }),
  attempts: 10,
  time_limit: HOUR,
  priority: 'high',
});
