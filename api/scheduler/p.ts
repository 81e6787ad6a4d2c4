import { z } from 'zod';
import { timeZoneInput } from '../../shared/kernel/schema.ts';
import { eventTypeSlug } from '../../shared/scheduler/event-types/fields.ts';
import { readSlots } from '../../shared/scheduler/offers/offered.ts';
import { Slots } from '../../shared/scheduler/offers/record.ts';
import {
  bookableEventType,
  MOST_LISTED,
  publicEventType,
  publicEventTypes,
} from '../../shared/scheduler/public/queries.ts';
import {
  ListedEventType,
  PublicEventType,
  PublicOrganization,
} from '../../shared/scheduler/public/record.ts';
import { read } from '../http/endpoint.ts';
import { slotsQuery, timedSlots } from './timed-slots.ts';

const orgSlug = z
  .string()
  .describe('The slug of the organization.')
  .meta({ examples: ['yamada-shoji'] });

/** What stands in the paths of an event type's page. */
export const pageParams = z.strictObject({
  orgSlug,
  eventTypeSlug: eventTypeSlug().describe('The slug of the event type.'),
});

const locale = z
  .enum(['ja', 'en'])
  .describe('The language that the guest reads.')
  .meta({ examples: ['ja'] })
  .optional();

const PATH = '/api/v1/scheduler/p/:orgSlug/:eventTypeSlug';

/** What guests read who have nothing but the address of a page. */
export const p = [
  read({
    id: 'scheduler.public_pages.list',
    method: 'get',
    path: '/api/v1/scheduler/p/:orgSlug',
    page: '/p/:orgSlug',
    scope: 'organization',
    summary: 'List what an organization offers to guests',
    description: `Its active event types in the order in which they were made, the first ${MOST_LISTED}.`,
    params: z.strictObject({ orgSlug }),
    query: z.strictObject({ locale }),
    reply: z.strictObject({ organization: PublicOrganization, event_types: z.array(ListedEventType) }),
    handle: ({ query, base_url }, reader) => publicEventTypes(reader, base_url, query),
  }),
  read({
    id: 'scheduler.public_pages.get',
    method: 'get',
    path: PATH,
    page: '/p/:orgSlug/:eventTypeSlug',
    scope: 'organization',
    summary: 'Read what a guest can book',
    description: 'Where exactly is told to who has booked, and who of several that take turns.',
    params: pageParams,
    query: z.strictObject({
      time_zone: timeZoneInput().describe('The zone that the guest reads times in.').optional(),
      locale,
    }),
    reply: z.strictObject({ organization: PublicOrganization, event_type: PublicEventType }),
    handle: ({ params, query, base_url }, reader) =>
      publicEventType(reader, params.eventTypeSlug, base_url, query),
  }),
  read({
    id: 'scheduler.public_pages.slots',
    method: 'get',
    path: `${PATH}/slots`,
    scope: 'organization',
    summary: 'List the slots that a guest can book',
    description: 'As for members: from now for 31 days unless said.',
    params: pageParams,
    query: slotsQuery,
    reply: Slots,
    handle: ({ params, query }, reader) =>
      timedSlots(async () => readSlots(reader, await bookableEventType(reader, params.eventTypeSlug), query)),
  }),
];
