import { z } from 'zod';
import { eventDomains, eventRights } from '../shared/domains.ts';
import { says, type Text } from '../shared/kernel/language.ts';
import { byId, integerParameter } from '../shared/kernel/schema.ts';
import { eventById, eventPage } from '../shared/platform/events/queries.ts';
import { Event } from '../shared/platform/events/record.ts';
import { typesNamed, unknownTypesIn } from '../shared/platform/events/types.ts';
import { read } from './http/endpoint.ts';

const knownTypes = [...eventDomains.keys()];

/** Events of a page: more where a program catches up. */
const MOST = { desc: 100, asc: 1_000 };

const EventQuery = z
  .strictObject({
    type: z.enum(knownTypes).describe('Only events of this type.').optional(),
    types: z
      .string()
      .max(2_000)
      .describe(
        'Only events of these types, with commas between them. `crm.*` stands for all types that begin with `crm.`. Not beside `type`.',
      )
      .meta({ examples: ['crm.company.*,invoice.paid'] })
      .optional(),
    limit: integerParameter(1, MOST.asc)
      .describe('Events to answer: 20 unless said, 100 at most, with `order=asc` 1,000.')
      .optional(),
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
  })
  .superRefine(({ type, types, limit, order = 'desc' }, issues) => {
    const refuse = (path: string, code: string, message: Text) =>
      issues.addIssue({ code: 'custom', path: [path], params: { code }, message: says(message) });
    if (type !== undefined && types !== undefined) {
      refuse('types', 'mutually_exclusive', {
        en: 'must not be sent together with type',
        ja: 'は type と同時に指定できません',
      });
    }
    for (const unknown of types === undefined ? [] : unknownTypesIn(types, knownTypes)) {
      const name = JSON.stringify(unknown);
      refuse('types', 'invalid_value', {
        en: `must name types of events: ${name} is none`,
        ja: `にはイベントの種類を指定してください：${name} はありません`,
      });
    }
    if (limit !== undefined && limit > MOST[order]) {
      refuse('limit', 'too_large', {
        en: `must be at most ${MOST[order]}, or 1,000 with order=asc`,
        ja: `は${MOST[order]}以下（order=asc では1,000以下）で指定してください`,
      });
    }
  });

function typesAsked({ type, types }: z.output<typeof EventQuery>): readonly string[] | null {
  if (type !== undefined) return [type];
  return types === undefined ? null : typesNamed(types, knownTypes);
}

export const events = [
  read({
    id: 'events.list',
    method: 'get',
    path: '/api/v1/events',
    scope: 'events:read',
    summary: 'List events',
    description:
      'Newest first; those of domains that you may not read are left out, and of attendance those about members whose days you do not read. Besides `events:read` this needs the `:read` scope of a domain that has events, such as `crm:read`: without any it is 403 `insufficient_scope`. With `order=asc` and `starting_after` set to the last event seen, a poller misses none and sees none twice.',
    query: EventQuery,
    reply: z.strictObject({ object: z.literal('list'), data: z.array(Event), has_more: z.boolean() }),
    raises: ['invalid_cursor'],
    handle: async ({ query }, reader) => {
      const { rows, has_more } = await eventPage(
        reader,
        {
          types: typesAsked(query),
          limit: query.limit ?? 20,
          starting_after: query.starting_after ?? null,
          order: query.order ?? 'desc',
        },
        eventRights,
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
      'Of a domain, and of attendance of a member, that you may read; others are 404. Who may read no domain that has events gets 403 `insufficient_scope`.',
    params: byId('evt'),
    reply: z.strictObject({ event: Event }),
    handle: async ({ params }, reader) => ({ event: await eventById(reader, params.id, eventRights) }),
  }),
];
