import type { Reader } from '../../../kernel/reader.ts';
import { pick } from '../../../kernel/record-fields.ts';
import {
  type CampaignStats,
  type CountedCampaign,
  countedNames,
  nothingCounted,
  statsFrom,
} from './record.ts';

/**
 * One statement, so that all figures are of one moment. Counters are 16 rows a campaign, reason or link, of which some may be negative;
 * a sum that is 0 stands for nothing. Of links the first are read alone.
 */
const COUNTED = `
  SELECT campaign.id AS campaign_id, counts.*, skips.skipped_by, links.links
    FROM unnest($2::text[]) AS campaign (id)
   CROSS JOIN LATERAL (
     SELECT ${countedNames.map((name) => `coalesce(sum(${name}), 0)::integer AS ${name}`).join(', ')}
       FROM mail_campaign_counts WHERE organization_id = $1 AND campaign_id = campaign.id
   ) AS counts
   CROSS JOIN LATERAL (
     SELECT coalesce(jsonb_object_agg(reason, skipped ORDER BY reason), '{}') AS skipped_by FROM (
       SELECT reason, sum(skipped) AS skipped FROM mail_campaign_skips
        WHERE organization_id = $1 AND campaign_id = campaign.id GROUP BY reason HAVING sum(skipped) <> 0
     ) AS reasons
   ) AS skips
   CROSS JOIN LATERAL (
     SELECT coalesce(jsonb_agg(link ORDER BY link.index), '[]') AS links FROM (
       SELECT known.index, known.url, coalesce(sum(clicks), 0) AS clicks, coalesce(sum(unique_clicks), 0) AS unique_clicks
         FROM (SELECT index, url FROM mail_campaign_links
                WHERE organization_id = $1 AND campaign_id = campaign.id ORDER BY index LIMIT $3) AS known
         LEFT JOIN mail_campaign_link_counts AS counted ON counted.organization_id = $1
          AND counted.campaign_id = campaign.id AND counted.index = known.index
        GROUP BY known.index, known.url
     ) AS link
   ) AS links`;

/**
 * What campaigns have come to, all of one moment, with the first links of each; for those that have not begun nothing is read.
 */
export async function statsOf(
  { connection, organization_id }: Reader,
  campaigns: readonly { id: string; started_at: string | null }[],
  links: number,
): Promise<(campaign: { id: string }) => CampaignStats> {
  const begun = campaigns.filter(({ started_at }) => started_at !== null).map(({ id }) => id);
  if (begun.length === 0) return () => nothingCounted;
  const rows = await connection.query<CountedCampaign & { campaign_id: string }>(COUNTED, [
    organization_id,
    begun,
    links,
  ]);
  const stats = new Map(
    rows.map((row) => [row.campaign_id, statsFrom(pick(row, [...countedNames, 'skipped_by', 'links']))]),
  );
  return ({ id }) => stats.get(id) ?? nothingCounted;
}
