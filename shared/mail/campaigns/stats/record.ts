import { z } from 'zod';
import { percent } from './percent.ts';

const count = (example = 0) => z.int().meta({ examples: [example] });

const rate = (of: string) =>
  z
    .string()
    .regex(/^\d+\.\d{2}$/)
    .nullable()
    .describe(`In percent, two decimals, half up, of ${of}; null of nothing.`)
    .meta({ examples: ['15.42'] });

const SENT = 'the mails that were sent';
const TRACKED = 'the mails that were sent and are tracked';

const LinkStats = z
  .strictObject({
    index: z.int().describe('Its place in the mail, as the addresses of clicks have it.'),
    url: z.string().meta({ examples: ['https://www.example.co.jp/'] }),
    clicks: count(),
    unique_clicks: count(),
  })
  .meta({ id: 'MailLinkStats' });

/** The first links of a mail are told with their clicks: so many of one campaign. */
export const MOST_LINKS = 1_000;

/** The same of each campaign in a list, and in an event. */
export const LISTED_LINKS = 10;

/** What a campaign has come to. Robots are left out of opens and clicks. */
export const CampaignStats = z
  .strictObject({
    recipients: count(240).describe('queued + sending + sent + failed + skipped + unknown, at every moment.'),
    queued: count(),
    sending: count(),
    sent: count(240),
    failed: count(),
    skipped: count(),
    unknown: count().describe(
      'Nobody knows whether the mail was taken: none of them is sent again by itself.',
    ),
    skipped_by: z
      .record(z.string(), z.int())
      .describe('By reason.')
      .meta({ examples: [{}] }),
    hard_bounces: count(),
    soft_bounces: count(),
    complaints: count(),
    unsubscribes: count(),
    tracked: count(240).describe('Recipients who agreed that opens and clicks are counted.'),
    opens: count(52),
    unique_opens: count(37),
    clicks: count(),
    unique_clicks: count(),
    bot_opens: count(),
    bot_clicks: count(),
    links: z
      .array(LinkStats)
      .describe(
        `The links whose clicks are counted: the first ${MOST_LINKS}, in lists and events the first ${LISTED_LINKS} of a campaign.`,
      )
      .meta({ examples: [[]] }),
    open_rate: rate(TRACKED),
    click_rate: rate(TRACKED),
    bounce_rate: rate('the mails that were sent or failed'),
    complaint_rate: rate(SENT),
    unsubscribe_rate: rate(SENT),
  })
  .meta({ id: 'MailCampaignStats' });

export type CampaignStats = z.output<typeof CampaignStats>;

/** Whom a campaign's recipients are counted by. */
export const recipientCounts = ['queued', 'sending', 'sent', 'failed', 'skipped', 'unknown'] as const;

const answerCounts = [
  'hard_bounces',
  'soft_bounces',
  'complaints',
  'unsubscribes',
  'tracked',
  'opens',
  'unique_opens',
  'clicks',
  'unique_clicks',
  'bot_opens',
  'bot_clicks',
] as const;

/** What the counters of a campaign have; `sent_tracked` is not shown. */
export const countedNames = [...recipientCounts, 'sent_tracked', ...answerCounts] as const;

/** The sums of the counters of a campaign. */
export type Counted = Record<(typeof countedNames)[number], number>;

/** What was counted of a campaign. */
export type CountedCampaign = Counted & Pick<CampaignStats, 'skipped_by' | 'links'>;

/** The counts of a campaign as the API shows them, with the rates that follow. */
export function statsFrom({ sent_tracked, ...counted }: CountedCampaign): CampaignStats {
  const { sent, failed, hard_bounces, soft_bounces } = counted;
  return {
    recipients: recipientCounts.reduce((sum, name) => sum + counted[name], 0),
    ...counted,
    open_rate: percent(counted.unique_opens, sent_tracked),
    click_rate: percent(counted.unique_clicks, sent_tracked),
    bounce_rate: percent(hard_bounces + soft_bounces, sent + failed),
    complaint_rate: percent(counted.complaints, sent),
    unsubscribe_rate: percent(counted.unsubscribes, sent),
  };
}

const zeros = Object.fromEntries(countedNames.map((name) => [name, 0])) as Counted;

/** What a campaign has come to that has not begun. */
export const nothingCounted: CampaignStats = statsFrom({ ...zeros, skipped_by: {}, links: [] });
