import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { computed, computedIn, freeText, id, timestamp } from '../../kernel/schema.ts';

export const providerNames = ['google', 'caldav', 'ics'] as const;

export type ProviderName = (typeof providerNames)[number];

export const connectionStatuses = ['active', 'reauth_required', 'error', 'disconnected'] as const;

export type ConnectionStatus = (typeof connectionStatuses)[number];

/** A calendar as its provider lists it. */
export type ListedCalendar = { id: string; name: string; time_zone: string | null; is_primary: boolean };

const ConnectedCalendar = z
  .strictObject({
    id: z
      .string()
      .describe('As its provider names it.')
      .meta({ examples: ['hanako.yamada@example.co.jp'] }),
    name: z.string().meta({ examples: ['山田花子'] }),
    time_zone: z
      .string()
      .nullable()
      .meta({ examples: ['Asia/Tokyo'] }),
    is_primary: z.boolean(),
    checks_conflicts: z.boolean().describe('Whether its events make their owner busy.'),
    is_write_target: z.boolean().describe('Whether bookings are written into it: one calendar a member.'),
  })
  .meta({ id: 'ConnectedCalendar' });

/** A calendar elsewhere, as the API shows its connection. Its tokens and passwords are shown nowhere. */
export const CalendarConnection = z
  .strictObject({
    id: id('ccon'),
    object: z.literal('scheduler.calendar_connection'),
    user_id: id('usr'),
    provider: z.enum(providerNames),
    account: z.string().meta({ examples: ['hanako.yamada@example.co.jp'] }),
    status: z.enum(connectionStatuses),
    status_reason: z
      .string()
      .nullable()
      .describe('A word for what is wrong: `invalid_grant`, `too_large`, ...')
      .meta({ examples: [null] }),
    calendars: z.array(ConnectedCalendar),
    push: computed(
      z
        .strictObject({ active: z.boolean(), expires_at: timestamp().nullable() })
        .describe('Whether the provider tells of changes as they happen.'),
    ),
    last_synced_at: computed(
      timestamp().nullable().describe('When the calendar that was read longest ago was read.'),
    ),
    lag_seconds: computed(
      z
        .int()
        .nullable()
        .describe('Seconds since `last_synced_at`.')
        .meta({ examples: [240] }),
    ),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'CalendarConnection' });

export type CalendarConnection = z.output<typeof CalendarConnection>;

/** What the owner of a connection decides about its calendars; those that are not named stay. */
export const CalendarConnectionPatch = z
  .strictObject({
    calendars: z
      .array(
        z
          .strictObject({
            id: freeText(1_024).describe('As its provider names it.'),
            checks_conflicts: z.boolean(),
            is_write_target: z.boolean(),
          })
          .partial({ checks_conflicts: true, is_write_target: true }),
      )
      .max(250)
      .refine((all) => new Set(all.map((one) => one.id)).size === all.length, {
        params: { code: 'duplicate' },
        error: says({ en: 'must name each calendar once', ja: 'には同じカレンダーを重複して指定できません' }),
      })
      .refine((all) => all.filter((one) => one.is_write_target).length <= 1, {
        params: { code: 'invalid_value' },
        error: says({
          en: 'must make at most one calendar the write target',
          ja: 'の is_write_target を true にできるカレンダーは1つだけです',
        }),
      })
      .optional(),
  })
  .meta({ id: 'CalendarConnectionPatch' });

export type CalendarConnectionPatch = z.output<typeof CalendarConnectionPatch>;

export class ConnectionModel extends TenantModel {
  static override tableName = 'scheduler_connections';
}

export const connectionFacts = factsOf({
  domain: 'scheduler',
  entity_type: 'calendar_connection',
  computed: computedIn(CalendarConnection),
});
