import { z } from 'zod';
import { job } from '../../../kernel/job.ts';
import { id } from '../../../kernel/schema.ts';

/**
 * Brings the entries in the calendars of a connection to what is wanted, once it was connected or takes bookings: what was
 * left there before, and bookings that were made meanwhile.
 */
export const fillCalendarJob = job({
  name: 'scheduler.fill_calendar',
  queue: 'calendar-sync',
  payload: z.strictObject({ connection_id: id('ccon') }),
  attempts: 8,
  time_limit: 5 * 60_000,
});

/** Brings the entry of a booking or session in the calendar of one host to what is wanted. */
export const writeEntryJob = job({
  name: 'scheduler.write_entry',
  queue: 'calendar-sync',
  payload: z.strictObject({ record_id: z.union([id('book'), id('bsess')]), user_id: id('usr') }),
  attempts: 8,
  time_limit: 2 * 60_000,
});
