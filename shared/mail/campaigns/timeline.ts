import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import { timestamp } from '../../kernel/schema.ts';

/** What a timeline is told by, with the most items that one has: no campaign is answered for so many hours or days. */
export const timelineIntervals = { hour: 2_000, day: 4_000 } as const;

export type TimelineInterval = keyof typeof timelineIntervals;

const count = () => z.int().meta({ examples: [12] });

/** What happened to a campaign in an hour or a day. */
export const CampaignMoment = z
  .strictObject({
    at: timestamp().describe('When the hour or the day begins in Japan.'),
    sent: count(),
    opens: count(),
    clicks: count(),
    bounces: count(),
    unsubscribes: count(),
  })
  .meta({ id: 'MailCampaignMoment' });

export type CampaignMoment = z.output<typeof CampaignMoment>;

/** Sums are kept by hours of UTC, which begin with those of Japan. */
const BEGINS: Readonly<Record<TimelineInterval, string>> = {
  hour: 'hour',
  day: "date_trunc('day', hour, 'Asia/Tokyo')",
};

/** The hours or days in which something happened to a campaign, in their order: the first ones, as many as `timelineIntervals` says. */
export async function campaignTimeline(
  { connection, organization_id }: Reader,
  campaign_id: string,
  interval: TimelineInterval,
): Promise<CampaignMoment[]> {
  return connection.query<CampaignMoment>(
    `SELECT ${BEGINS[interval]} AS at, sum(sent)::integer AS sent, sum(opens)::integer AS opens,
            sum(clicks)::integer AS clicks, sum(bounces)::integer AS bounces, sum(unsubscribes)::integer AS unsubscribes
       FROM mail_campaign_hours WHERE organization_id = $1 AND campaign_id = $2
      GROUP BY at ORDER BY at LIMIT ${timelineIntervals[interval]}`,
    [organization_id, campaign_id],
  );
}
