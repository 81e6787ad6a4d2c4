import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, email, id, timestamp } from '../../kernel/schema.ts';
import { toldWord } from '../../kernel/told-word.ts';
import { name } from '../../platform/access/names.ts';
import { contentFields } from '../content/fields.ts';
import { MailWarning } from '../content/warnings.ts';
import { MailThrottle, MailThrottleChanges } from '../throttle.ts';
import { CampaignStats } from './stats/record.ts';
import { campaignActions, campaignPurposes, campaignStatuses, pauseReasons } from './words.ts';

const MOST_LISTS = 20;

/** A list that is named twice is kept once. */
const lists = () =>
  z
    .array(id('mlist'))
    .max(MOST_LISTS)
    .overwrite((ids) => [...new Set(ids)]);

const line = () => name(200).nullable();

const written = {
  name: name(200).meta({ examples: ['春のお知らせ'] }),
  subject: contentFields.subject,
  preheader: contentFields.preheader,
  from_name: line()
    .describe('null: `default_from_name` of the settings, as it is when sending begins.')
    .meta({ examples: ['山田商店'] }),
  from_email: email()
    .nullable()
    .describe('Of the domain of `default_from_email` of the settings, or of a DKIM key; null: that address.'),
  reply_to: email().nullable().describe('null: `default_reply_to` of the settings.'),
  locale: z.enum(['ja', 'en']),
  purpose: z
    .enum(campaignPurposes)
    .describe(
      '`advertisement` goes to contacts with a consent alone (特定電子メール法, Art. 3); `notice` to all.',
    ),
  mail_order: z
    .boolean()
    .nullable()
    .describe('Whether it advertises mail order; null: as the settings say.')
    .meta({ examples: [null] }),
  list_ids: lists().describe(
    'Who is in any of them gets it; all contacts of the segment where there is none.',
  ),
  exclude_list_ids: lists().describe('Who is in any of them does not.'),
  segment_id: id('mseg').nullable(),
  template_id: id('mtpl').nullable().describe('On creation it fills what the body leaves out.'),
  body_html: contentFields.body_html,
  body_text: contentFields.body_text,
  track_opens: z.boolean().meta({ examples: [false] }),
  track_clicks: z.boolean().meta({ examples: [false] }),
};

const blankTime = () =>
  timestamp()
    .nullable()
    .meta({ examples: [null] });

/** A campaign, as the API shows it. */
export const Campaign = z
  .strictObject({
    id: id('camp'),
    object: z.literal('mail.campaign'),
    ...written,
    body_html: written.body_html.optional().describe('In lists it is left out.'),
    body_text: written.body_text.optional().describe('In lists it is left out.'),
    throttle: MailThrottle.describe('How fast it leaves, at most.'),
    status: z.enum(campaignStatuses),
    pause_reason: toldWord(pauseReasons)
      .nullable()
      .describe(
        'Why it stopped by itself. `sender_refused`: the mail server takes no mail from this sender. `sending_failed`, `start_failed`: a fault of the service kept it from going on, which operators see; resume it, or schedule it again.',
      )
      .meta({ examples: [null] }),
    scheduled_at: blankTime(),
    started_at: blankTime(),
    finished_at: blankTime(),
    expected_finish_at: computed(blankTime()).describe(
      'When the last mail will have left, by the limits and the speed of the last minute, and not before the last recipient is tried again; null while nothing says so: paused, the mail server is away.',
    ),
    stats: computed(CampaignStats),
    warnings: z
      .array(MailWarning)
      .describe('What is odd about it, though it was accepted.')
      .meta({ examples: [[]] }),
    available_actions: computed(z.array(z.enum(campaignActions))).describe('What you can do to it now.'),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailCampaign' });

export type ShownCampaign = z.output<typeof Campaign>;

/** A whole campaign, without what follows from who asks. */
export type Campaign = Omit<
  ShownCampaign,
  'available_actions' | 'expected_finish_at' | 'stats' | 'body_html' | 'body_text'
> & {
  body_html: string | null;
  body_text: string | null;
};

const sent = z
  .strictObject({ ...written, throttle: MailThrottleChanges.describe('Merged by key.'), ...ownKeysInput })
  .partial();

/** What a new campaign is made from. */
export const CampaignInput = sent.required({ name: true }).meta({ id: 'MailCampaignInput' });

export type CampaignInput = z.output<typeof CampaignInput>;

/** What a change of a campaign may hold. */
export const CampaignPatch = sent.meta({ id: 'MailCampaignPatch' });

export type CampaignPatch = z.output<typeof CampaignPatch>;

export class CampaignModel extends TenantModel {
  static override tableName = 'mail_campaigns';
  static override jsonAttributes = ['metadata', 'throttle', 'warnings', 'sender'];
}

/** What campaigns are looked up by. */
export const campaignKind = recordKind({ table: CampaignModel.tableName, prefix: 'camp' });

/** The bodies may be long: the change history tells that they changed. */
export const campaignFacts = factsOf({
  domain: 'mail',
  entity_type: 'campaign',
  computed: computedIn(Campaign),
  untold: ['warnings'],
  masked: ['body_html', 'body_text', 'external_id', 'metadata'],
});

uniqueKey('mail_campaigns_external_id_once', {
  table: CampaignModel.tableName,
  read_by: 'mail:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another campaign has this external_id',
    ja: 'この external_id はほかのキャンペーンが使っています',
  },
});
