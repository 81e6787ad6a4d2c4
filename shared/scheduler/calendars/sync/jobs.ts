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

/** Has changes of the calendars of a connection told to us, where that is not so yet or ends soon. */
export const watchCalendarsJob = job({
  name: 'scheduler.watch_calendars',
  queue: 'calendar-sync',
  payload: z.strictObject({ connection_id: id('ccon') }),
  attempts: 5,
  time_limit: 5 * 60_000,
});

/** Ends what a provider tells us of a disconnected calendar, gives the access back and forgets its secret. */
export const disconnectJob = job({
  name: 'scheduler.disconnect_calendar',
  queue: 'calendar-sync',
  payload: z.strictObject({ connection_id: id('ccon'), job_id: id('job') }),
  attempts: 8,
  time_limit: 5 * 60_000,
});
