import { z } from 'zod';
import { id, timestamp } from '../../kernel/schema.ts';
import { reasons } from '../slots/types.ts';

/** A start that is offered. */
export const Slot = z
  .strictObject({
    start: timestamp(),
    end: timestamp(),
    local_start: z
      .string()
      .describe('The start on the clock of `time_zone`, with its offset.')
      .meta({ examples: ['2026-12-01T10:00:00+09:00'] }),
    seats_left: z
      .int()
      .describe('Guests who can still book this start.')
      .meta({ examples: [1] }),
  })
  .meta({ id: 'SchedulerSlot' });

/** The starts of a range that are offered. */
export const slotsShape = {
  object: z.literal('scheduler.slots'),
  time_zone: z
    .string()
    .describe('The zone of `local_start`, and of dates that were asked for.')
    .meta({ examples: ['Asia/Tokyo'] }),
  duration_minutes: z.int().meta({ examples: [30] }),
  from: timestamp(),
  to: timestamp(),
  slots: z.array(Slot).describe('In the order of their starts.'),
};

export const Slots = z.strictObject(slotsShape).meta({ id: 'SchedulerSlots' });

export type Slots = z.output<typeof Slots>;

/** What every candidate says besides whose reason it is. */
export const candidateShape = {
  start: timestamp(),
  ok: z.boolean().meta({ examples: [false] }),
  reason: z
    .enum(reasons)
    .nullable()
    .describe('Why it cannot be booked; null where it can.')
    .meta({ examples: ['busy'] }),
  blocked_by: z
    .strictObject({
      kind: z
        .enum(['booking', 'hold', 'external', 'block', 'leave'])
        .describe('The leave of others is told as `block`.'),
      id: z.string().nullable(),
    })
    .nullable()
    .describe('What is in the way, with `busy` and `buffer`.')
    .meta({ examples: [{ kind: 'booking', id: 'book_01kaj2n5w5fq8b4m0g3v7x9rtc' }] }),
};

/** A start that might be offered, and why it is not. */
export const Candidate = z
  .strictObject({
    ...candidateShape,
    user_id: id('usr').nullable().describe('The member whose reason it is.'),
  })
  .meta({ id: 'SchedulerCandidate' });

export type Candidate = z.output<typeof Candidate>;
