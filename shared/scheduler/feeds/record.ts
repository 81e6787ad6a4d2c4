import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';

/** A calendar of a member's bookings that other programs follow, as the API shows it: without its address. */
export const Feed = z
  .strictObject({
    id: id('feed'),
    object: z.literal('scheduler.feed'),
    user_id: id('usr').describe('Whose bookings it holds.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerFeed' });

export type Feed = z.output<typeof Feed>;

/** Whose feed is made. */
export const FeedInput = z
  .strictObject({
    user_id: id('usr').describe('Whose bookings: those of the acting member unless said.').optional(),
  })
  .meta({ id: 'SchedulerFeedInput' });

export type FeedInput = z.output<typeof FeedInput>;

export class FeedModel extends TenantModel {
  static override tableName = 'scheduler_feeds';
}

export const feedFacts = factsOf({ domain: 'scheduler', entity_type: 'feed' });

/** The addresses of feeds. Who has one reads the bookings until the feed is deleted, so it cannot be made again. */
export const feedLinks: LinkPurpose = {
  name: 'scheduler_feed',
  page: '/api/v1/scheduler/feeds',
  token: 'random',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};
