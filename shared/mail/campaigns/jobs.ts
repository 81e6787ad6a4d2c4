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

/** Settles the recipients of a campaign that begins. Safe to run twice. */
export const freezeCampaignJob = job({
  name: 'mail.freeze_campaign',
  queue: 'campaign',
  payload: z.strictObject({ campaign_id: id('camp'), job_id: id('job') }),
  attempts: 10,
  time_limit: 10 * 60_000,
});

/** Starts a scheduled campaign whose time has come. */
export const startCampaignJob = job({
  name: 'mail.start_campaign',
  queue: 'campaign',
  payload: z.strictObject({ campaign_id: id('camp') }),
  attempts: 10,
  time_limit: 2 * 60_000,
});
