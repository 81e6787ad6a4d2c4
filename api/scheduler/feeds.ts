import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import { feedText } from '../../shared/scheduler/feeds/calendar.ts';
import { createFeed, deleteFeed } from '../../shared/scheduler/feeds/operations.ts';
import { feedPage } from '../../shared/scheduler/feeds/queries.ts';
import { Feed, FeedInput, feedLinks } from '../../shared/scheduler/feeds/record.ts';
import { write } from '../http/endpoint.ts';
import { file } from '../http/files/declarations.ts';
import { writtenFile } from '../http/files/written.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';
import { CALENDAR_TYPE } from './calendar-type.ts';

const OWN = "One's own; managers, admins and owners act for all.";

const feed = resource({
  id: 'scheduler.feeds',
  path: '/api/v1/scheduler/feeds',
  domain: 'scheduler',
  one: 'a feed',
  prefix: 'feed',
});

/** The calendars by which other programs follow the bookings of a member. */
export const feeds = [
  list({
    ...feed.list,
    summary: 'List feeds',
    description: `Their addresses are in the answer that made them alone. ${OWN}`,
    item: Feed,
    filters: z.strictObject({ user_id: id('usr').describe('Only those of this member.').optional() }),
    raises: ['not_owner'],
    handle: ({ filters, window }, reader) => feedPage(reader, filters, window),
  }),
  write({
    ...feed.create,
    description: `\`url\` is what a calendar program follows; it is answered this once, since its token is kept by its hash alone. The feed ends when it is deleted, or the member leaves. At most 20 a member. ${OWN}`,
    body: FeedInput,
    reply: z.strictObject({
      feed: Feed,
      url: z
        .string()
        .describe('The address of the feed. null where the answer is repeated.')
        .meta({
          examples: [`https://service.example.co.jp/api/v1/scheduler/feeds/${'3f'.repeat(32)}.ics`],
        }),
    }),
    secrets: ['url'],
    raises: ['unknown_reference', 'not_owner', 'in_use'],
    handle: ({ body, base_url }, work) => createFeed(work, body, { base_url }),
  }),
  write({
    ...feed.delete,
    description: `Its address answers 404 at once. ${OWN}`,
    raises: ['not_owner'],
    handle: deleting(deleteFeed),
  }),
  file({
    id: 'scheduler.feeds.calendar',
    path: '/api/v1/scheduler/feeds/:token.ics',
    scope: 'link',
    link: feedLinks,
    summary: 'Read a feed',
    description:
      'The confirmed bookings of its member from 90 days ago on, at most 5,000, as iCalendar (RFC 5545) in UTC; a session once, with its headcount. The address is the proof; ask with `If-None-Match`.',
    params: z.strictObject({
      token: z
        .string()
        .describe('The token of the feed: the last part of its address, without `.ics`.')
        .meta({ examples: ['3f'.repeat(32)] }),
    }),
    media_types: [CALENDAR_TYPE],
    handle: async ({ link, base_url }, reader) =>
      writtenFile({
        file_name: 'bookings.ics',
        media_type: CALENDAR_TYPE,
        text: await feedText(reader, link!.record_id, base_url),
        created_at: reader.now.toISOString(),
      }),
  }),
];
