import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { timestamp, timeZoneInput } from '../../kernel/schema.ts';
import { signerAuths } from '../documents/words.ts';
import { defaultReminders, Reminders, RemindersChanges } from './reminders.ts';

const days = (least: number, most: number) => z.int().min(least).max(most);

const fields = {
  default_auth: z.enum(signerAuths).describe('How signers show who they are, where a document does not say.'),
  expiry_days: days(1, 365)
    .describe('Days from sending to the end of the day that a document expires on, where it does not say.')
    .meta({ examples: [90] }),
  expiry_warning_days: days(0, 365)
    .describe('Days before its expiry that a document is warned of; 0: never.')
    .meta({ examples: [3] }),
  reminders: Reminders.describe('Those of documents that do not say.'),
  locale: z.enum(['ja', 'en']).describe('The language of documents that do not say.'),
  time_zone: timeZoneInput().describe('The zone of documents that do not say.'),
  link_days: days(1, 3_650)
    .describe('Days after the end of a document for which the links of its signers can be read.')
    .meta({ examples: [90] }),
  retention_years: days(7, 30)
    .describe('Years that signed documents are kept, counted as accounting counts them.')
    .meta({ examples: [10] }),
  approval_required: z
    .boolean()
    .describe('Whether sending needs `approvals:write` too.')
    .meta({ examples: [false] }),
};

/** The settings of an organization's documents for signing. */
export const SignSettings = z
  .strictObject({
    id: z.string().meta({ examples: ['org_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    object: z.literal('sign.settings'),
    ...fields,
    time_zone: z.string().meta({ examples: ['Asia/Tokyo'] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SignSettings' });

export type SignSettings = z.output<typeof SignSettings>;

export const SignSettingsPatch = z
  .strictObject({ ...fields, reminders: RemindersChanges.describe('Merged into those that are there.') })
  .partial()
  .meta({ id: 'SignSettingsPatch' });

export type SignSettingsPatch = z.output<typeof SignSettingsPatch>;

export type KeptSettings = z.output<z.ZodObject<typeof fields>>;

/** What an organization has that changed nothing. */
export const defaultSettings: KeptSettings = {
  default_auth: 'email_otp',
  expiry_days: 90,
  expiry_warning_days: 3,
  reminders: defaultReminders,
  locale: 'ja',
  time_zone: 'Asia/Tokyo',
  link_days: 90,
  retention_years: 10,
  approval_required: false,
};

export const signSettingsFacts = factsOf({ domain: 'sign', entity_type: 'settings' });
