import { z } from 'zod';
import { job } from '../../kernel/job.ts';

/**
 * Asks for the reminders of signers of one document that were claimed: each row of `sign_reminders` is one. Who has signed
 * meanwhile, or is not in turn any more, is left out. `job_id` is the job of who reminded by hand; null for the schedule.
 */
export const remindJob = job({
  name: 'sign.remind',
  queue: 'signing-reminder',
  payload: z.strictObject({
    document_id: z.string(),
    kind: z.enum(['reminder', 'by_hand']),
    signers: z.array(z.strictObject({ id: z.string(), number: z.int() })),
    job_id: z.string().nullable(),
  }),
  attempts: 10,
  time_limit: 60_000,
});
