import { z } from 'zod';
import { Failure } from '../../kernel/failure.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import { type Domain, domains, type Grant, readableDomains } from '../../kernel/scope.ts';

/** Something that happened in the organization, with the resource as it was then. */
export const Event = z
  .strictObject({
    id: id('evt'),
    object: z.literal('event'),
    type: z.string().meta({ examples: ['crm.contact.created'] }),
    organization_id: id('org'),
    data: z.record(z.string(), z.unknown()).meta({
      examples: [{ id: 'cont_01kaj2n5w5fq8b4m0g3v7x9rtc', object: 'crm.contact', full_name: '山田 花子' }],
    }),
    previous_attributes: z
      .record(z.string(), z.unknown())
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

/**
 * The domain whose `:read` an event asks for, beside `events:read`, by the words that its type begins with. A fact's
 * events belong to the fact's domain.
 */
const domainsOfTypes = {
  invoice: 'invoicing',
  conversion: 'invoicing',
  customer: 'crm',
  crm: 'crm',
  mail: 'mail',
  attendance: 'attendance',
  forms: 'forms',
} as const satisfies Record<string, Domain>;

type FirstWord = keyof typeof domainsOfTypes;

/** Every type of event that there is. */
export const eventTypes = [
  'invoice.created',
  'invoice.updated',
  'invoice.deleted',
  'invoice.approved',
  'invoice.sent',
  'invoice.paid',
  'invoice.cancelled',
  'crm.deal.created',
  'crm.deal.updated',
  'crm.deal.deleted',
  'crm.deal.stage_updated',
  'crm.company.created',
  'crm.company.updated',
  'crm.company.deleted',
  'crm.contact.created',
  'crm.contact.updated',
  'crm.contact.deleted',
  'crm.activity.created',
  'crm.activity.deleted',
  'attendance.record.clocked_in',
  'attendance.record.clocked_out',
  'mail.campaign.sent',
  'forms.response.submitted',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'conversion.completed',
] as const satisfies readonly `${FirstWord}.${string}`[];

export type EventType = (typeof eventTypes)[number];

/** The types that who holds the grants may read; null where these are all. */
export function readableTypes(granted: readonly Grant[]): readonly EventType[] | null {
  const readable = readableDomains(granted);
  if (readable.length === domains.length) return null;
  return eventTypes.filter((type) => readable.includes(domainOfEvent(type)));
}

/**
 * As `readableTypes`. Errors: `insufficient_scope` where there are none, so that nobody follows a list that stays empty.
 */
export function requireReadableTypes(granted: readonly Grant[]): readonly EventType[] | null {
  const readable = readableTypes(granted);
  if (readable?.length !== 0) return readable;
  const asked = [...new Set(eventTypes.map(domainOfEvent))].map((domain) => `${domain}:read`);
  throw new Failure('insufficient_scope', {
    detail: `Beside events:read this needs the scope of a domain that has events: add one or more of ${asked.join(', ')}`,
  });
}

/** The domain that events of a type belong to. */
export function domainOfEvent(type: EventType): Domain {
  return domainsOfTypes[type.slice(0, type.indexOf('.')) as FirstWord];
}
