import { z } from 'zod';
import { externalId } from '../../shared/kernel/own-keys.ts';
import { id, integerParameter, timestampInput } from '../../shared/kernel/schema.ts';
import { createBlock, deleteBlock, updateBlock } from '../../shared/scheduler/blocks/operations.ts';
import { blocksByKey } from '../../shared/scheduler/blocks/queries.ts';
import { BlockInput, BlockPatch } from '../../shared/scheduler/blocks/record.ts';
import { calendarEvents as eventsOf } from '../../shared/scheduler/calendar-events/queries.ts';
import { CalendarEvent, CalendarEvents } from '../../shared/scheduler/calendar-events/record.ts';
import { rangeEnd } from '../../shared/scheduler/range.ts';
import { read, write } from '../http/endpoint.ts';
import { manyOf } from '../http/look-ups.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';

const PATH = '/api/v1/scheduler/calendar-events';

const block = resource({
  id: 'scheduler.calendar_events',
  path: PATH,
  domain: 'scheduler',
  one: 'a block',
  prefix: 'cevt',
});

const Reply = z.strictObject({ calendar_event: CalendarEvent });

const query = z.strictObject({
  from: rangeEnd().describe('An instant, or a date for its midnight; today unless said.').optional(),
  to: rangeEnd()
    .describe('Not within; 7 days after `from` unless said, 62 at most.')
    .meta({ examples: ['2026-12-08'] })
    .optional(),
  user_id: id('usr').describe('Whose: the acting member unless said.').optional(),
  external_id: manyOf(externalId())
    .describe('Blocks with your own ID, or one of up to 100 with commas between, of any time.')
    .meta({ examples: ['K-1024,K-1025'] })
    .optional(),
  updated_after: timestampInput().describe('Blocks changed at this time or later, of any time.').optional(),
  updated_before: timestampInput().describe('Blocks changed before this time, of any time.').optional(),
  limit: integerParameter(1, 200).describe('Events to answer: 50 unless said.').optional(),
  offset: integerParameter(0, 10_000).describe('Events to skip.').optional(),
});

export const calendarEvents = [
  read({
    id: 'scheduler.calendar_events.list',
    method: 'get',
    path: PATH,
    scope: 'scheduler:read',
    summary: 'List calendar events',
    description:
      "What occupies a member, by start: bookings, holds, blocks, events of connected calendars and approved leave. Of others, titles of connected calendars are null and leave is a block without title and ID. With `external_id`, `updated_after` or `updated_before` it lists blocks alone, newest first: one's own; managers, admins and owners see those of all.",
    query,
    reply: CalendarEvents,
    raises: ['not_owner'],
    handle: async ({ query: { from, to, limit = 50, offset = 0, ...asked } }, reader) => {
      const { external_id, updated_after, updated_before, user_id } = asked;
      const isByKey = [external_id, updated_after, updated_before].some((value) => value !== undefined);
      if (isByKey) return blocksByKey(reader, { ...asked, limit, offset });
      return eventsOf(reader, { from, to, user_id, limit, offset });
    },
  }),
  write({
    ...block.create,
    description:
      "Keeps time from being booked; what is booked in it stays. One's own; managers, admins and owners act for all.",
    body: BlockInput,
    reply: Reply,
    raises: ['already_exists', 'unknown_reference', 'not_owner'],
    handle: async ({ body }, work) => ({ calendar_event: await createBlock(work, body) }),
  }),
  write({
    ...block.update,
    description: `${FIELDS_SENT} Blocks alone can be changed.`,
    body: BlockPatch,
    reply: Reply,
    raises: ['already_exists', 'not_owner'],
    handle: async ({ params, body }, work) => ({ calendar_event: await updateBlock(work, params.id, body) }),
  }),
  write({
    ...block.delete,
    description: 'Blocks alone can be deleted: the rest goes with what it follows from.',
    raises: ['not_owner'],
    handle: deleting(deleteBlock),
  }),
];
