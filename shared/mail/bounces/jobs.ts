import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id } from '../../kernel/schema.ts';

/** Messages of one job: as many as one request to the hook may bring. */
export const MOST_TOGETHER = 1_000;

/** Applies what messages tell that came in. Each is applied once. */
export const readInboundJob = job({
  name: 'mail.read_inbound',
  queue: 'campaign',
  payload: z.strictObject({ inbound_message_ids: z.array(id('minb')).min(1).max(MOST_TOGETHER) }),
  attempts: 10,
  time_limit: 10 * 60_000,
});

/** Takes the bounces of a campaign back. */
export const revertBouncesJob = job({
  name: 'mail.revert_bounces',
  queue: 'campaign',
  payload: z.strictObject({ campaign_id: id('camp'), job_id: id('job') }),
  attempts: 10,
  time_limit: 60 * 60_000,
});
