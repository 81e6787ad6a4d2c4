import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { freeText, timestamp, timeZoneInput } from '../../kernel/schema.ts';
import { officeHours, Weekly } from '../availability/fields.ts';
import { Reminders } from '../event-types/fields.ts';
import { originOf } from './origin.ts';

const fields = {
  embed_origins: z
    .array(
      z
        .string()
        .max(300)
        .transform((value, context) => {
          const origin = originOf(value);
          if (origin !== null) return origin;
          context.addIssue({
            code: 'custom',
            params: { code: 'invalid_origin' },
            message: says({
              en: 'must be the origin of a site, for example https://www.example.co.jp',
              ja: 'は https://www.example.co.jp のようなサイトのオリジンで指定してください',
            }),
          });
          return z.NEVER;
        })
        .meta({ examples: ['https://www.example.co.jp'] }),
    )
    .max(20)
    .describe('Sites that may show booking pages in a frame; none: no site.'),
  time_zone: timeZoneInput().describe('Where days are counted that no event type or availability says.'),
  week_starts_on: z.enum(['sunday', 'monday']).describe('What weeks begin with, for limits and on pages.'),
  time_format: z.enum(['24', '12']).describe('How pages and mails write times.'),
  default_availability: z
    .strictObject({ weekly: Weekly })
    .describe('When members can be booked who have said nothing, in the zone of the settings.'),
  default_reminders: Reminders.describe('The mails before a booking of event types that say none.'),
  cancel_policy: freeText(5_000)
    .nullable()
    .describe('What pages say about cancelling.')
    .meta({ examples: [null] }),
  color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, says({ en: 'must be #RRGGBB', ja: 'は #RRGGBB の形式で指定してください' }))
    .nullable()
    .describe('The colour of booking pages.')
    .meta({ examples: ['#0f766e'] }),
  locale: z.enum(['ja', 'en']).describe('The language where neither guest nor event type says one.'),
  calendar_failure: z
    .enum(['closed', 'open'])
    .describe('Whether a member whose calendar cannot be read has no free time, or is booked without it.'),
  block_on_leave: z
    .boolean()
    .describe('Whether approved leave occupies its member.')
    .meta({ examples: [true] }),
  retention_days: z
    .int()
    .min(0)
    .max(36_500)
    .nullable()
    .describe('Days after its end that a booking keeps what it says about guests; null: for ever.')
    .meta({ examples: [null] }),
};

/** The settings of an organization's scheduler. */
export const SchedulerSettings = z
  .strictObject({
    id: z.string().meta({ examples: ['org_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    object: z.literal('scheduler.settings'),
    ...fields,
    embed_origins: z.array(z.string()).meta({ examples: [['https://www.example.co.jp']] }),
    time_zone: z.string().meta({ examples: ['Asia/Tokyo'] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerSettings' });

export type SchedulerSettings = z.output<typeof SchedulerSettings>;

export const SchedulerSettingsPatch = z.strictObject(fields).partial().meta({ id: 'SchedulerSettingsPatch' });

export type SchedulerSettingsPatch = z.output<typeof SchedulerSettingsPatch>;

export type KeptSettings = z.output<z.ZodObject<typeof fields>>;

/** What an organization has that changed nothing. */
export const defaultSettings: KeptSettings = {
  embed_origins: [],
  time_zone: 'Asia/Tokyo',
  week_starts_on: 'sunday',
  time_format: '24',
  default_availability: { weekly: [...officeHours] },
  default_reminders: [{ minutes_before: 1_440, to: 'both' }],
  cancel_policy: null,
  color: null,
  locale: 'ja',
  calendar_failure: 'closed',
  block_on_leave: true,
  retention_days: null,
};

export const settingsFacts = factsOf({ domain: 'scheduler', entity_type: 'settings' });
