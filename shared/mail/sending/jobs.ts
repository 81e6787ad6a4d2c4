import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id } from '../../kernel/schema.ts';

const payload = z.strictObject({ campaign_id: id('camp') });

/**
 * Sends mails of a campaign for half a minute and asks for the next slice. Two at a time share the recipients. Behind what is asked
 * for once, since campaigns take long.
 */
export const sendSliceJob = job({
  name: 'mail.send_slice',
  queue: 'campaign',
  payload,
  attempts: 30,
  time_limit: 3 * 60_000,
  priority: 'low',
});

/** Ends the recipients of a cancelled campaign whose mails have not begun. Safe to run twice. */
export const skipCancelledJob = job({
  name: 'mail.skip_cancelled',
  queue: 'campaign',
  payload,
  attempts: 10,
  time_limit: 10 * 60_000,
});
