import { z } from 'zod';
import { addressBucket } from '../../shared/kernel/networks.ts';
import { holdStart } from '../../shared/scheduler/holds/operations.ts';
import { tokenOfHold } from '../../shared/scheduler/holds/queries.ts';
import { Hold, HoldInput } from '../../shared/scheduler/holds/record.ts';
import { write } from '../http/endpoint.ts';
import { pageParams } from './p.ts';

/** What a guest does on the page of an event type before the booking is filled in. */
export const hold = [
  write({
    id: 'scheduler.holds.create',
    method: 'post',
    path: '/api/v1/scheduler/p/:orgSlug/:eventTypeSlug/hold',
    scope: 'organization',
    summary: 'Hold a start',
    description:
      'For five minutes nobody else can book it: send `hold_token` with the booking, which uses it up. Five starts at a time for one client address, then 429. A replay answers the token again as long as the hold is there.',
    params: pageParams,
    body: HoldInput,
    status: 201,
    reply: z.strictObject({
      hold: Hold,
      hold_token: z.string().meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] }),
    }),
    secrets: ['hold_token'],
    renew: async (kept, work) => ({
      hold_token: await tokenOfHold(work, kept['hold'] as Hold, addressBucket(work.ip_address!)),
    }),
    raises: ['no_holds', 'slot_taken', 'limit_reached', 'not_bookable', 'calendar_unavailable'],
    handle: ({ params, body, client }, work) =>
      holdStart(work, params.eventTypeSlug, body, addressBucket(client.ip_address)),
  }),
];
