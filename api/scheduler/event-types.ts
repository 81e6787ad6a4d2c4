import { z } from 'zod';
import { booleanParameter, id } from '../../shared/kernel/schema.ts';
import { withAddress } from '../../shared/scheduler/event-types/address.ts';
import {
  createEventType,
  deleteEventType,
  replaceMembers,
  updateEventType,
} from '../../shared/scheduler/event-types/operations.ts';
import { eventTypeById, eventTypePage } from '../../shared/scheduler/event-types/queries.ts';
import {
  EventTypeInput,
  EventTypeMembersInput,
  EventTypePatch,
  eventTypeKind,
  ShownEventType,
} from '../../shared/scheduler/event-types/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';

const PATH = '/api/v1/scheduler/event-types';

const eventType = resource({
  id: 'scheduler.event_types',
  path: PATH,
  domain: 'scheduler',
  one: 'an event type',
  prefix: 'etype',
});

const Reply = z.strictObject({ event_type: ShownEventType });

export const eventTypes = [
  list({
    ...eventType.list,
    summary: 'List event types',
    description: 'What guests can book, and who hosts it. `search` looks in titles and descriptions.',
    item: ShownEventType,
    filters: z.strictObject({
      is_active: booleanParameter()
        .describe('Only those that guests can book, or that they cannot.')
        .optional(),
      user_id: id('usr').describe('Only those that this member hosts.').optional(),
      search: z
        .string()
        .max(200)
        .describe('A part of the title or of the description.')
        .meta({ examples: ['面談'] })
        .optional(),
    }),
    looked_up: eventTypeKind,
    handle: async ({ filters, window, base_url }, reader) => {
      const [page, shown] = await Promise.all([
        eventTypePage(reader, filters, window),
        withAddress(reader, base_url),
      ]);
      return { ...page, rows: page.rows.map(shown) };
    },
  }),
  read({
    ...eventType.get,
    description: 'With its members. Also one that is not active.',
    reply: Reply,
    handle: async ({ params, base_url }, reader) => {
      const shown = await withAddress(reader, base_url);
      return { event_type: shown(await eventTypeById(reader, params.id)) };
    },
  }),
  write({
    ...eventType.create,
    description:
      'Without `members` who creates it hosts. `single` takes one required member, `collective` none that rotates, `round_robin` at least one that does. More than one seat is neither for round robin nor for manual confirmation.',
    body: EventTypeInput,
    reply: Reply,
    raises: ['already_exists', 'unknown_reference', 'no_members', 'members_mismatch', 'seats_mismatch'],
    handle: async ({ body, base_url }, work) => {
      const shown = await withAddress(work, base_url);
      return { event_type: shown(await createEventType(work, body)) };
    },
  }),
  write({
    ...eventType.update,
    description: `${FIELDS_SENT} Nested objects and lists are replaced whole. Members change by a call of their own; an \`assignment\` that they do not fit is 409.`,
    body: EventTypePatch,
    reply: Reply,
    raises: ['already_exists', 'assignment_mismatch', 'seats_mismatch'],
    handle: async ({ params, body, base_url }, work) => {
      const shown = await withAddress(work, base_url);
      return { event_type: shown(await updateEventType(work, params.id, body)) };
    },
  }),
  write({
    ...eventType.delete,
    description:
      'It leaves lists and pages, its bookings stay. While one waits for confirmation or lies ahead, or a proposal is open, it is 409 `in_use`.',
    raises: ['in_use'],
    handle: deleting(deleteEventType),
  }),
  write({
    id: 'scheduler.event_types.members',
    method: 'post',
    path: `${PATH}/:id/members`,
    params: eventType.update.params,
    scope: 'scheduler:write',
    summary: 'Set the members of an event type',
    description:
      'The list replaces the one before. Bookings that are made keep their hosts. `assignment` changes with it where it is sent.',
    body: EventTypeMembersInput,
    reply: Reply,
    raises: ['unknown_reference', 'no_members', 'members_mismatch', 'seats_mismatch'],
    handle: async ({ params, body, base_url }, work) => {
      const shown = await withAddress(work, base_url);
      return { event_type: shown(await replaceMembers(work, params.id, body)) };
    },
  }),
];
