import { z } from 'zod';
import { announcedEventTypes, eventDomains } from '../shared/domains.ts';
import { byId, integerParameter } from '../shared/kernel/schema.ts';
import { eventById, eventPage } from '../shared/platform/events/queries.ts';
import { Event } from '../shared/platform/events/record.ts';
import { read } from './http/endpoint.ts';

const eventTypes = [...eventDomains.keys()];

const EventQuery = z.strictObject({
  type: z
    .enum([...eventTypes, ...announcedEventTypes])
    .describe('Only events of this type.')
    // The text offers what is emitted.
    .meta({ enum: eventTypes })
    .optional(),
  limit: integerParameter(1, 100).describe('Events to answer: 20 unless said, 100 at most.').optional(),
  starting_after: z
    .string()
    .max(100)
    .describe('Go on after this event, in the asked order.')
    .meta({ examples: ['evt_01kaj2n5w5fq8b4m0g3v7x9rtc'] })
    .optional(),
  order: z
    .enum(['asc', 'desc'])
    .describe('desc, newest first, unless said; asc is the feed for a poller.')
    .optional(),
});

export const events = [
  read({
    id: 'events.list',
    method: 'get',
    path: '/api/v1/events',
    scope: 'events:read',
    summary: 'List events',
    description:
      'Newest first; those of domains that you may not read are left out. Besides `events:read` this needs the `:read` scope of a domain that has events, such as `crm:read`: without any it is 403 `insufficient_scope`. With `order=asc` and `starting_after` set to the last event seen, a poller misses none and sees none twice.',
    query: EventQuery,
    reply: z.strictObject({ object: z.literal('list'), data: z.array(Event), has_more: z.boolean() }),
    raises: ['invalid_cursor'],
    handle: async ({ query }, reader) => {
      const { rows, has_more } = await eventPage(
        reader,
        {
          type: query.type ?? null,
          limit: query.limit ?? 20,
          starting_after: query.starting_after ?? null,
          order: query.order ?? 'desc',
        },
        eventDomains,
      );
      return { object: 'list' as const, data: rows, has_more };
    },
  }),
  read({
    id: 'events.get',
    method: 'get',
    path: '/api/v1/events/:id',
    scope: 'events:read',
    summary: 'Read an event',
    description:
      'Of a domain that you may read; others are 404. Who may read no domain that has events gets 403 `insufficient_scope`.',
    params: byId('evt'),
    reply: z.strictObject({ event: Event }),
    handle: async ({ params }, reader) => ({ event: await eventById(reader, params.id, eventDomains) }),
  }),
];
