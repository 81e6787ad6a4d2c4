import { z } from 'zod';
import { ownKeys } from '../../kernel/own-keys.ts';
import { id, timestamp } from '../../kernel/schema.ts';

/** What occupies a member, as the API shows it. Blocks alone are made here; the others follow from what made them. */
export const CalendarEvent = z
  .strictObject({
    id: z
      .string()
      .nullable()
      .describe("Null for another member's leave, and for their block where you may not act on it.")
      .meta({ examples: ['cevt_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    object: z.literal('scheduler.calendar_event'),
    kind: z
      .enum(['booking', 'external', 'hold', 'leave', 'block'])
      .describe("Another member's leave is a `block`.")
      .meta({ examples: ['block'] }),
    user_id: id('usr'),
    start: timestamp(),
    end: timestamp(),
    all_day: z.boolean(),
    title: z
      .string()
      .nullable()
      .describe('Of external events for their owner alone.')
      .meta({ examples: ['外出'] }),
    booking_id: id('book')
      .nullable()
      .describe('Of the first booking, where several share a session.')
      .meta({ examples: [null] }),
    proposal_id: id('prop')
      .nullable()
      .meta({ examples: [null] }),
    connection_id: id('ccon')
      .nullable()
      .meta({ examples: [null] }),
    ...ownKeys,
    created_at: timestamp().nullable().describe('Of blocks.'),
    updated_at: timestamp().nullable().describe('Of blocks.'),
  })
  .meta({ id: 'SchedulerCalendarEvent' });

export type CalendarEvent = z.output<typeof CalendarEvent>;

/** Some calendar events, and how many there are. */
export const CalendarEvents = z.strictObject({
  items: z.array(CalendarEvent),
  total: z.int().meta({ examples: [1] }),
  limit: z.int().meta({ examples: [50] }),
  offset: z.int().meta({ examples: [0] }),
});

export type CalendarEvents = z.output<typeof CalendarEvents>;
