import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { CountedLink } from '../content/places.ts';

/** Links that tell a robot from a person: whether a mail has more does not matter. */
const ENOUGH = 3;

/** Stores the links of a campaign by their numbers, when it begins: a click leads to one of them and nowhere else. */
export function keepCampaignLinks(work: Work, campaign_id: string, links: readonly CountedLink[]): void {
  work.run(
    `INSERT INTO mail_campaign_links (organization_id, campaign_id, index, url)
     SELECT $1, $2, index, url FROM unnest($3::integer[], $4::text[]) AS link (index, url)
     ON CONFLICT (organization_id, campaign_id, index) DO NOTHING`,
    [work.organization_id, campaign_id, links.map(({ index }) => index), links.map(({ url }) => url)],
  );
}

/** The address of a link as it is stored, with its placeholders; null where the campaign has no link of that number. */
export async function campaignLink(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  campaign_id: string,
  index: number,
): Promise<string | null> {
  const [row] = await connection.query<{ url: string }>(
    'SELECT url FROM mail_campaign_links WHERE organization_id = $1 AND campaign_id = $2 AND index = $3',
    [organization_id, campaign_id, index],
  );
  return row?.url ?? null;
}

/** How many links a campaign has, up to three. */
export async function linkCount(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  campaign_id: string,
): Promise<number> {
  const rows = await connection.query(
    `SELECT FROM mail_campaign_links WHERE organization_id = $1 AND campaign_id = $2 LIMIT ${ENOUGH}`,
    [organization_id, campaign_id],
  );
  return rows.length;
}
