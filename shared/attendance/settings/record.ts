import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { computed, computedIn, day, id, timestamp } from '../../kernel/schema.ts';
import { attendanceDay } from '../dates.ts';
import { datedChange, datedFields, plainChange, plainFields } from './fields.ts';

/** The settings of attendance on a day, as the API shows them. */
export const AttendanceSettings = z
  .strictObject({
    id: id('org'),
    object: z.literal('attendance.settings'),
    as_of: computed(day()).describe('The day that they are shown for.'),
    effective_from: computed(day().nullable()).describe(
      'Since when the settings with a date are so; null: from the beginning.',
    ),
    ...datedFields,
    ...plainFields,
    slack: z
      .strictObject({
        connected: z
          .boolean()
          .describe('Whether there is a token that Slack has not refused.')
          .meta({ examples: [true] }),
        team: z
          .string()
          .nullable()
          .describe('The workspace; null without one, and where Slack could not be asked.')
          .meta({ examples: ['青葉珈琲'] }),
        connected_at: timestamp().nullable().describe('When the token was set.'),
      })
      .describe('How people are told of invitations.'),
    rounding_unfavourable: computed(z.boolean()).describe(
      'Whether minutes can be cut that were worked: a unit over 1 with clock_in or break_end `ceil`, or clock_out or break_start `floor`; or `ignore_unless_approved`.',
    ),
    daily_statutory_minutes: computed(z.literal(480)),
    night_window: computed(z.array(z.string())).meta({ examples: [['22:00', '05:00']] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AttendanceSettings' });

export type AttendanceSettings = z.output<typeof AttendanceSettings>;

/** A change: those with a date hold from `effective_from` on. */
export const AttendanceSettingsPatch = z
  .strictObject({
    effective_from: attendanceDay().describe(
      'From when on the settings with a date change; the start of the first open period unless said.',
    ),
    ...datedChange,
    ...plainChange,
    slack: z
      .strictObject({
        bot_token: z
          .string()
          .regex(
            /^[!-~]{1,500}$/,
            says({ en: 'must be a token of Slack', ja: 'にはSlackのトークンを指定してください' }),
          )
          .nullable()
          .describe(
            'A bot token with the scopes users:read, users:read.email, im:write and chat:write. It is in no answer; null disconnects Slack.',
          )
          .meta({ examples: ['xoxb-0123456789-AbCdEf'] }),
      })
      .describe('The connection to Slack.'),
  })
  .partial()
  .meta({ id: 'AttendanceSettingsPatch' });

export type AttendanceSettingsPatch = z.output<typeof AttendanceSettingsPatch>;

export const settingsFacts = factsOf({
  domain: 'attendance',
  entity_type: 'settings',
  computed: computedIn(AttendanceSettings).filter((name) => name !== 'effective_from'),
});
