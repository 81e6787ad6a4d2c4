import { z } from 'zod';
import { id, timestamp } from '../../kernel/schema.ts';
import { Booking } from '../bookings/record.ts';

const count = (meaning: string) =>
  z
    .int()
    .describe(meaning)
    .meta({ examples: [3] });

/** A calendar that its owner has to put right: until then nobody knows when they are free. */
const AttendedConnection = z.strictObject({
  id: id('ccon'),
  user_id: id('usr'),
  provider: z.enum(['google', 'caldav', 'ics']),
  account: z.string().meta({ examples: ['taro.yamada@example.co.jp'] }),
  status: z.enum(['active', 'reauth_required', 'error']),
  status_reason: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  last_synced_at: timestamp().nullable(),
});

/** Event types of a dashboard, those with the most bookings first. */
export const MOST_TYPES = 50;

/** Calendars of a dashboard that need somebody. */
export const MOST_CONNECTIONS = 50;

/** How the bookings of an organization, or of one host, stand. Days are those of the settings' time zone. */
export const SchedulerDashboard = z
  .strictObject({
    object: z.literal('scheduler.dashboard'),
    user_id: id('usr').nullable().describe('Whose bookings were counted; null: all.'),
    date: z
      .string()
      .describe('Today, in the zone of the settings.')
      .meta({ format: 'date', examples: ['2026-04-01'] }),
    time_zone: z.string().meta({ examples: ['Asia/Tokyo'] }),
    today: count('Confirmed bookings of today, those that are over too.'),
    next_7_days: count('The same of today and the six days after it.'),
    pending: count('Bookings that wait for somebody to confirm them.'),
    cancelled_30d: count('Bookings of the 30 days before today that were cancelled.'),
    no_show_30d: count('Those whose guest did not come.'),
    proposals_open: count('Proposals that guests have not answered yet.'),
    average_lead_hours_30d: z
      .number()
      .nullable()
      .describe(
        'From when they were made to their start, of the confirmed, completed and no-show bookings of the 30 days before today, to a tenth; null: there were none.',
      )
      .meta({ examples: [52.5] }),
    next_bookings: z.array(Booking).describe('The next ten confirmed ones.'),
    event_types: z
      .array(
        z.strictObject({
          id: id('etype'),
          bookings_30d: count('Confirmed, completed and no-show bookings of the 30 days before today.'),
        }),
      )
      .describe(`Event types with bookings in the 30 days before today, the ${MOST_TYPES} with the most.`),
    connections_attention: z
      .array(AttendedConnection)
      .describe(
        'Calendars that do not work: your own, and for admins and owners those of all. What is active was not read for 24 hours, or not once in its first hour.',
      ),
  })
  .meta({ id: 'SchedulerDashboard' });

export type SchedulerDashboard = z.output<typeof SchedulerDashboard>;
