import { z } from 'zod';
import { job } from '../../kernel/job.ts';

/** Makes the PDF of a received document that somebody waits for. */
export const renderReceivedJob = job({
  name: 'received.render',
  queue: 'pdf-render',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 3,
  time_limit: 120_000,
  priority: 'high',
});
