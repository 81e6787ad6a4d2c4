import { z } from 'zod';
import { byId, day } from '../../shared/kernel/schema.ts';
import { inTurns } from '../../shared/kernel/turns.ts';
import { eventTypeById } from '../../shared/scheduler/event-types/queries.ts';
import { explainedStarts } from '../../shared/scheduler/offers/explained.ts';
import { readSlots } from '../../shared/scheduler/offers/offered.ts';
import { Candidate, Slots } from '../../shared/scheduler/offers/record.ts';
import { previewOf, previewSurroundings } from '../../shared/scheduler/preview/preview.ts';
import { SlotPreview, SlotPreviewInput } from '../../shared/scheduler/preview/record.ts';
import { withinYears } from '../../shared/scheduler/range.ts';
import { read, stepwise } from '../http/endpoint.ts';
import { slotsQuery, timedSlots } from './timed-slots.ts';

const PREVIEW_LIMITS = { bytes: 2 * 1024 ** 2, values: 1_000_000 };

/** Which starts are offered, and why others are not. */
export const slots = [
  read({
    id: 'scheduler.slots.list',
    method: 'get',
    path: '/api/v1/scheduler/event-types/:id/slots',
    scope: 'scheduler:read',
    summary: 'List the slots of an event type',
    description:
      'The starts that guests are offered, from now for 31 days unless said. The range cuts them and never moves them. Dates are midnights in `time_zone`, which changes nothing else but `local_start`. `Server-Timing` says how long reading and computing took.',
    params: byId('etype'),
    query: slotsQuery,
    reply: Slots,
    handle: ({ params, query }, reader) =>
      timedSlots(async () => readSlots(reader, await eventTypeById(reader, params.id), query)),
  }),
  read({
    id: 'scheduler.slots.explain',
    method: 'get',
    path: '/api/v1/scheduler/event-types/:id/explain',
    scope: 'scheduler:read',
    summary: 'Explain the slots of a date',
    description:
      "Every aligned minute of a date in the event type's zone, and why it cannot be booked: of required members the first reason in the order of the enum, else of rotating ones the last.",
    params: byId('etype'),
    query: z.strictObject({
      date: withinYears(day())
        .describe('Today unless said.')
        .meta({ examples: ['2026-12-01'] })
        .optional(),
      duration_minutes: slotsQuery.shape.duration_minutes,
    }),
    reply: z.strictObject({ candidates: z.array(Candidate) }),
    handle: async ({ params, query }, reader) => ({
      candidates: await explainedStarts(reader, await eventTypeById(reader, params.id), query),
    }),
  }),
  stepwise({
    id: 'scheduler.slots.preview',
    method: 'post',
    path: '/api/v1/scheduler/slots/preview',
    scope: 'scheduler:read',
    summary: 'Compute slots without keeping anything',
    description:
      "What would be offered at any instant, if event type and members were as the body says. Holidays and the first day of the week are the organization's. It is the computation of all other calls.",
    body: SlotPreviewInput,
    body_limits: PREVIEW_LIMITS,
    reply: SlotPreview,
    handle: async ({ body }, steps) =>
      inTurns(previewOf(body, await steps.read((reader) => previewSurroundings(reader, body)))),
  }),
];
