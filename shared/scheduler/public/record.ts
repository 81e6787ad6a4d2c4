import { z } from 'zod';
import { eventTypeFields, locationTypes } from '../event-types/fields.ts';

const { title, description, duration_minutes, duration_options, seats_per_slot, questions } = eventTypeFields;
const { max_additional_guests, cancel_cutoff_minutes, reschedule_cutoff_minutes } = eventTypeFields;

const locale = z.enum(['ja', 'en']).meta({ examples: ['ja'] });

/** Whose page it is. */
export const PublicOrganization = z
  .strictObject({
    object: z.literal('scheduler.public_organization'),
    name: z.string().meta({ examples: ['山田商事株式会社'] }),
    slug: z.string().meta({ examples: ['yamada-shoji'] }),
    color: z
      .string()
      .nullable()
      .meta({ examples: ['#0f766e'] }),
    cancel_policy: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    week_starts_on: z.enum(['sunday', 'monday']),
    time_format: z.enum(['24', '12']),
    locale: locale.describe('The one that was asked for, else that of the settings.'),
  })
  .meta({ id: 'SchedulerPublicOrganization' });

const listed = {
  object: z.literal('scheduler.public_event_type'),
  title,
  slug: z.string().meta({ examples: ['interview'] }),
  description,
  duration_minutes,
  duration_options,
  seats_per_slot,
  locations: z
    .array(z.strictObject({ type: z.enum(locationTypes), label: z.string().nullable() }))
    .describe('Address, link or number are for who has booked.')
    .meta({ examples: [[{ type: 'in_person', label: '本社会議室' }]] }),
  url: z
    .string()
    .describe('Its page.')
    .meta({ examples: ['https://service.example.co.jp/p/yamada-shoji/interview'] }),
};

/** An event type as the list of an organization's page shows it. */
export const ListedEventType = z.strictObject(listed).meta({ id: 'SchedulerListedEventType' });

/** What a guest needs to book an event type. */
export const PublicEventType = z
  .strictObject({
    ...listed,
    hosts: z
      .array(z.strictObject({ name: z.string() }))
      .describe('Who is certain to come; empty where members take turns.')
      .meta({ examples: [[{ name: '山田 太郎' }]] }),
    time_zone: z
      .string()
      .describe('The one that was asked for, else that in which its dates are counted.')
      .meta({ examples: ['Asia/Tokyo'] }),
    locale: locale.describe("The one that was asked for, else the event type's, else that of the settings."),
    questions,
    needs_confirmation: z
      .boolean()
      .describe('Whether a booking waits until a host confirms it.')
      .meta({ examples: [false] }),
    max_additional_guests,
    cancel_cutoff_minutes,
    reschedule_cutoff_minutes,
  })
  .meta({ id: 'SchedulerPublicEventType' });

export type PublicOrganization = z.output<typeof PublicOrganization>;
export type ListedEventType = z.output<typeof ListedEventType>;
export type PublicEventType = z.output<typeof PublicEventType>;
