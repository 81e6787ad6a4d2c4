import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const HOUR = 3_600_000;

/** Who asked: what they may do by now is looked up when the work is done. */
const asking = z.strictObject({
  type: z.enum(['user', 'api_key', 'guest', 'system']),
  id: z.string(),
  user_id: z.string().nullable(),
});

/** Erases, or counts, what one address answered. */
export const eraseJob = job({
  name: 'forms.erase',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string(), asking }),
  attempts: 10,
  time_limit: 2 * HOUR,
});
