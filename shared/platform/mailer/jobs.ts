import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id } from '../../kernel/schema.ts';

/**
 * Hands one mail to the mail server. Tried for two to three days, as RFC 5321 4.5.4.1 advises for a server that
 * refuses for now or cannot be reached.
 */
export const sendMailJob = job({
  name: 'mailer.send_mail',
  queue: 'email',
  payload: z.object({ mail_id: id('mail') }),
  attempts: 30,
  time_limit: 180_000,
});
