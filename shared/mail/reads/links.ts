import type { Reader } from '../../kernel/reader.ts';

/** Links that tell a robot from a person: whether a mail has more does not matter. */
const ENOUGH = 3;

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
