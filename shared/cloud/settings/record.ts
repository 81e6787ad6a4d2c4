import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { timestamp } from '../../kernel/schema.ts';

const days = (least: number, most: number) => z.int().min(least).max(most);

const fields = {
  quota_bytes: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'Bytes that the organization may keep, where that is fewer than the installation allows; null: as many.',
    )
    .meta({ examples: [null] }),
  trash_days: days(1, 365)
    .describe('Days after which what is in the trash is purged.')
    .meta({ examples: [30] }),
  version_days: days(0, 3_650)
    .describe('Old versions are pruned when they are older than this and beyond `version_count`.')
    .meta({ examples: [30] }),
  version_count: z
    .int()
    .min(1)
    .max(1_000)
    .describe('Versions of a file that stay, however old.')
    .meta({ examples: [50] }),
  share_max_days: days(1, 3_650)
    .nullable()
    .describe('Days that a share may last; null: any time.')
    .meta({ examples: [null] }),
  share_password_required: z
    .boolean()
    .describe('Whether a share needs a password.')
    .meta({ examples: [false] }),
  shares_enabled: z
    .boolean()
    .describe('Whether there are shares: without them those that were made answer 410.')
    .meta({ examples: [true] }),
  share_unscanned: z
    .boolean()
    .describe('Whether guests get files that were too large to be scanned.')
    .meta({ examples: [false] }),
};

/** The settings of an organization's cloud. */
export const CloudSettings = z
  .strictObject({
    id: z.string().meta({ examples: ['org_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    object: z.literal('cloud.settings'),
    ...fields,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'CloudSettings' });

export type CloudSettings = z.output<typeof CloudSettings>;

export const CloudSettingsPatch = z.strictObject(fields).partial().meta({ id: 'CloudSettingsPatch' });

export type CloudSettingsPatch = z.output<typeof CloudSettingsPatch>;

export type KeptSettings = z.output<z.ZodObject<typeof fields>>;

/** What an organization has that changed nothing. */
export const defaultSettings: KeptSettings = {
  quota_bytes: null,
  trash_days: 30,
  version_days: 30,
  version_count: 50,
  share_max_days: null,
  share_password_required: false,
  shares_enabled: true,
  share_unscanned: false,
};

export const cloudSettingsFacts = factsOf({ domain: 'cloud', entity_type: 'settings' });
