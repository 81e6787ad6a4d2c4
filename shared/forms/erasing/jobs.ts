import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id } from '../../kernel/schema.ts';

const HOUR = 3_600_000;

/** Who asked. */
const asking = z.strictObject({
  type: z.enum(['user', 'api_key', 'guest', 'system']),
  id: z.string(),
  user_id: z.string().nullable(),
});

/** Erases, or counts, what one address answered. What who asked may do by now is looked up when the work is done. */
export const eraseJob = job({
  name: 'forms.erase',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string(), asking }),
  attempts: 10,
  time_limit: 2 * HOUR,
});

/** Removes the responses and files of a form that is removed. */
export const removeRestJob = job({
  name: 'forms.remove_rest',
  queue: 'report-export',
  payload: z.strictObject({ form_id: id('form'), asking }),
  attempts: 30,
  time_limit: 2 * HOUR,
});
