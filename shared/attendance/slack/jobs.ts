import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { id } from '../../kernel/schema.ts';

/** Finds addresses, sends mails and messages of Slack for the invitations of one call: at most 100. */
export const inviteBySlackJob = job({
  name: 'attendance.invite_by_slack',
  queue: 'email',
  payload: z.strictObject({ job_id: id('job') }),
  attempts: 10,
  time_limit: 10 * 60_000,
});
