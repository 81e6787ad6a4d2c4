import { z } from 'zod';
import { job } from '../../../kernel/job.ts';
import { id } from '../../../kernel/schema.ts';

/** Reads the calendars of a connection that are due, one after the other. */
export const syncCalendarsJob = job({
  name: 'scheduler.sync_calendars',
  queue: 'calendar-sync',
  payload: z.strictObject({ connection_id: id('ccon'), job_id: id('job').nullable() }),
  attempts: 8,
  time_limit: 10 * 60_000,
});
