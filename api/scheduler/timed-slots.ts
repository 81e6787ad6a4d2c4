import { z } from 'zod';
import { integerParameter, timeZoneInput } from '../../shared/kernel/schema.ts';
import type { Slots } from '../../shared/scheduler/offers/record.ts';
import { rangeEnd } from '../../shared/scheduler/range.ts';
import { Answer } from '../http/declaration.ts';

/** The parameters of every call that lists slots. */
export const slotsQuery = z.strictObject({
  from: rangeEnd().describe('An instant, or a date for its midnight; now unless said.').optional(),
  to: rangeEnd()
    .describe('Not within; 31 dates after `from` unless said, 62 at most.')
    .meta({ examples: ['2026-12-08'] })
    .optional(),
  time_zone: timeZoneInput().describe("The event type's unless said.").optional(),
  duration_minutes: integerParameter(1, 1_440)
    .describe('A length that the event type offers; its first one unless said.')
    .meta({ examples: [30] })
    .optional(),
});

/** Slots with how long reading what they follow from and computing them took, in milliseconds (Server-Timing). */
export async function timedSlots(reading: () => Promise<() => Promise<Slots>>): Promise<Answer<Slots>> {
  const began = performance.now();
  const compute = await reading();
  const read = performance.now();
  const slots = await compute();
  const [database, computing] = [read - began, performance.now() - read];
  const timing = `db;dur=${database.toFixed(1)}, slots;dur=${computing.toFixed(1)}`;
  return new Answer(200, slots, { 'Server-Timing': timing });
}
