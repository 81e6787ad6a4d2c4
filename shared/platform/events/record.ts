import { z } from 'zod';
import type { EventType } from '../../kernel/fact.ts';
import { Failure } from '../../kernel/failure.ts';
import { valuesByName } from '../../kernel/open-objects.ts';
import type { Reader } from '../../kernel/reader.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import { allows, type Domain, type Grant } from '../../kernel/scope.ts';

/** Something that happened in the organization, with the resource as it was then. */
export const Event = z
  .strictObject({
    id: id('evt'),
    object: z.literal('event'),
    type: z.string().meta({ examples: ['crm.contact.created'] }),
    organization_id: id('org'),
    data: valuesByName().meta({
      examples: [{ id: 'cont_01kaj2n5w5fq8b4m0g3v7x9rtc', object: 'crm.contact', full_name: '山田 花子' }],
    }),
    previous_attributes: valuesByName()
      .nullable()
      .describe('For updates: the earlier values of the fields that changed.')
      .meta({ examples: [{ position: '係長' }] }),
    request_id: z
      .string()
      .nullable()
      .describe('The API request that caused it.')
      .meta({
        examples: ['req_01kaj2n5w5fq8b4m0g3v7x9rtc'],
      }),
    created_at: timestamp(),
  })
  .meta({ id: 'Event' });

export type Event = z.output<typeof Event>;

/** By type, the domain that an event belongs to: its `:read` is asked for beside `events:read`. */
export type EventDomains = ReadonlyMap<EventType, Domain>;

/** Of which records a domain tells a reader: SQL over `events` with `?`, which looks at `data`. */
export type EventCondition = { text: string; values: readonly unknown[] };

/**
 * Of whom a domain tells a reader: the IDs of its members, of which an event has one as `data.member_id`, or a condition
 * where it is about other records; null for all.
 */
export type EventSight = (reader: Reader) => Promise<readonly string[] | EventCondition | null>;

/** The domains whose events are not for everybody who reads the domain. Their types begin with the domain's name. */
export type EventSights = ReadonlyMap<Domain, EventSight>;

/** The types that who holds the grants may read; null where these are all. */
function readableTypes(granted: readonly Grant[], event_domains: EventDomains): readonly EventType[] | null {
  const types = [...event_domains.keys()];
  const readable = types.filter((type) => allows(granted, `${event_domains.get(type)!}:read`));
  return readable.length === types.length ? null : readable;
}

/**
 * As `readableTypes`. Errors: `insufficient_scope` where there are none, so that nobody follows a list that stays empty.
 */
export function requireReadableTypes(
  granted: readonly Grant[],
  event_domains: EventDomains,
): readonly EventType[] | null {
  const readable = readableTypes(granted, event_domains);
  if (readable?.length !== 0) return readable;
  const asked = [...new Set(event_domains.values())].map((domain) => `${domain}:read`);
  throw new Failure('insufficient_scope', {
    detail: {
      en: `Beside events:read this needs the scope of a domain that has events: add one or more of ${asked.join(', ')}`,
      ja: `events:read のほかに、イベントのある分野のスコープが必要です。次のいずれかを追加してください：${asked.join('、')}`,
    },
  });
}
