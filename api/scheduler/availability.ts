import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import {
  createAvailability,
  deleteAvailability,
  updateAvailability,
} from '../../shared/scheduler/availability/operations.ts';
import { availabilityById, availabilityPage } from '../../shared/scheduler/availability/queries.ts';
import {
  Availability,
  AvailabilityInput,
  AvailabilityPatch,
  availabilityKind,
} from '../../shared/scheduler/availability/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';

const OWN = "One's own; managers, admins and owners act for all.";

const one = resource({
  id: 'scheduler.availability',
  path: '/api/v1/scheduler/availability',
  domain: 'scheduler',
  one: 'availability',
  prefix: 'avail',
});

const Reply = z.strictObject({ availability: Availability });

export const availability = [
  list({
    ...one.list,
    summary: 'List availability',
    description: `When members can be booked. ${OWN}`,
    item: Availability,
    filters: z.strictObject({ user_id: id('usr').describe('Only that of this member.').optional() }),
    looked_up: availabilityKind,
    raises: ['not_owner'],
    handle: ({ filters, window }, reader) => availabilityPage(reader, filters, window),
  }),
  read({
    ...one.get,
    description: OWN,
    reply: Reply,
    raises: ['not_owner'],
    handle: async ({ params }, reader) => ({ availability: await availabilityById(reader, params.id) }),
  }),
  write({
    ...one.create,
    description: `The first one of a member is the default; a new default takes the place of the one before. ${OWN}`,
    body: AvailabilityInput,
    reply: Reply,
    raises: ['already_exists', 'unknown_reference', 'not_owner'],
    handle: async ({ body }, work) => ({ availability: await createAvailability(work, body) }),
  }),
  write({
    ...one.update,
    description: `${FIELDS_SENT} Lists are replaced whole. Bookings that are made stay where they are. ${OWN}`,
    body: AvailabilityPatch,
    reply: Reply,
    raises: ['already_exists', 'not_owner'],
    handle: async ({ params, body }, work) => ({
      availability: await updateAvailability(work, params.id, body),
    }),
  }),
  write({
    ...one.delete,
    description: `The default, and one that event types name, is 409 \`in_use\`. ${OWN}`,
    raises: ['in_use', 'not_owner'],
    handle: deleting(deleteAvailability),
  }),
];
