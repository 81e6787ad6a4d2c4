import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, id, timestamp } from '../../kernel/schema.ts';
import {
  type EventTypeFields,
  EventTypeMember,
  eventTypeFields,
  eventTypeSlug,
  MembersInput,
} from './fields.ts';

/** An event type, as the API shows it to members. */
export const ShownEventType = z
  .strictObject({
    id: id('etype'),
    object: z.literal('scheduler.event_type'),
    ...eventTypeFields,
    time_zone: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    members: z.array(EventTypeMember).describe('Who hosts, in their order.'),
    url: computed(z.string())
      .describe('Its page for guests.')
      .meta({ examples: ['https://service.example.co.jp/p/yamada-shoji/interview'] }),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerEventType' });

export type ShownEventType = z.output<typeof ShownEventType>;

/** An event type with its members, without the address that depends on the organization's slug. */
export type EventType = Omit<ShownEventType, 'url'>;

const sent = z.strictObject({ ...eventTypeFields, ...ownKeysInput }).partial();

/** What a new event type is made from. */
export const EventTypeInput = sent
  .extend({
    slug: eventTypeSlug()
      .describe('Made from the title unless said; of 8 random characters where that gives none that is free.')
      .optional(),
    members: MembersInput.describe('Who hosts, in their order: who creates it unless said.').optional(),
  })
  .required({ title: true, duration_minutes: true })
  .meta({ id: 'SchedulerEventTypeInput' });

export type EventTypeInput = z.output<typeof EventTypeInput>;

/** What a change of an event type may hold. Nested objects and lists are replaced whole. */
export const EventTypePatch = sent.meta({ id: 'SchedulerEventTypePatch' });

export type EventTypePatch = z.output<typeof EventTypePatch>;

/** All members of an event type, and how they share its bookings where that changes with them. */
export const EventTypeMembersInput = z
  .strictObject({ members: MembersInput, assignment: eventTypeFields.assignment.optional() })
  .meta({ id: 'SchedulerEventTypeMembersInput' });

export type EventTypeMembersInput = z.output<typeof EventTypeMembersInput>;

/** The names of the fields that callers write and that stand in the table, in the order of the API. */
export const eventTypeFieldNames = Object.keys(eventTypeFields) as (keyof EventTypeFields)[];

export class EventTypeModel extends TenantModel {
  static override tableName = 'scheduler_event_types';
  static override jsonAttributes = [
    'duration_options',
    'booking_window',
    'limits',
    'confirmation',
    'locations',
    'questions',
    'reminders',
    'metadata',
  ];
}

export class EventTypeMemberModel extends TenantModel {
  static override tableName = 'scheduler_event_type_members';
}

/** What event types are looked up by. */
export const eventTypeKind = recordKind({
  table: EventTypeModel.tableName,
  prefix: 'etype',
  keys: { slug: { schema: eventTypeSlug() } },
});

export const eventTypeFacts = factsOf({ domain: 'scheduler', entity_type: 'event_type' });

export const SLUG_ONCE = 'scheduler_event_types_slug_once';

uniqueKey(SLUG_ONCE, {
  table: EventTypeModel.tableName,
  read_by: 'scheduler:read',
  columns: ['slug'],
  path: '/slug',
  message: {
    en: 'Another event type has this slug',
    ja: 'この slug はほかのイベントタイプが使っています',
  },
});
uniqueKey('scheduler_event_types_external_id_once', {
  table: EventTypeModel.tableName,
  read_by: 'scheduler:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another event type has this external_id',
    ja: 'この external_id はほかのイベントタイプが使っています',
  },
});
