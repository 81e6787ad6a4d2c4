import { z } from 'zod';
import { job } from '../../kernel/job.ts';

/**
 * Stores a transfer file. Its queue is that of short work: on that of exports it would wait behind those of the
 * organization, which may take hours.
 */
export const storeTransferFileJob = job({
  name: 'received.store_transfer_file',
  queue: 'pdf-render',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 5,
  time_limit: 60_000,
  priority: 'high',
});
