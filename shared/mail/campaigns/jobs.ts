import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id, timestamp } from '../../kernel/schema.ts';

/** Goes on with what somebody decided about the unknown recipients of a campaign, after a number. */
export const settleUnknownJob = job({
  name: 'mail.settle_unknown',
  queue: 'campaign',
  payload: z.strictObject({
    campaign_id: id('camp'),
    action: z.enum(['resend', 'accept']),
    asked_at: timestamp(),
    after: z.int().min(0),
  }),
  attempts: 10,
  time_limit: 10 * 60_000,
});
