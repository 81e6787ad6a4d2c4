import { z } from 'zod';
import { job } from '../../../kernel/job.ts';
import { id } from '../../../kernel/schema.ts';

/** Brings the entry of a booking or session in the calendar of one host to what is wanted. */
export const writeEntryJob = job({
  name: 'scheduler.write_entry',
  queue: 'calendar-sync',
  payload: z.strictObject({ record_id: z.union([id('book'), id('bsess')]), user_id: id('usr') }),
  attempts: 8,
  time_limit: 2 * 60_000,
});
