import type { Connection } from '../../kernel/connection.ts';
import { NO_ORGANIZATION, systemActor } from '../../kernel/reader.ts';
import type { LinkedRecord, LinkPurpose } from '../../platform/links/purpose.ts';
import { NO_RECIPIENT, ownerOfToken, readToken, type TokenPurpose } from '../campaigns/tokens.ts';

/** Where whoever got the mail of a campaign unsubscribes. */
export const unsubscribeLinks = linksOf('unsubscribe', '/m/u');

/** The mail as a page. */
export const viewLinks = linksOf('view', '/m/v');

/** The picture by which an open is counted. */
export const openLinks = linksOf('open', '/m/o');

/** The links of a mail whose clicks are counted. */
export const clickLinks = linksOf('click', '/m/c');

/**
 * Links that each mail of a campaign has, and that live for ever: their tokens hold whose they are, so there is no row of them.
 * The record is the recipient; of a test mail, which has none, the campaign.
 */
function linksOf(purpose: TokenPurpose, page: string): LinkPurpose {
  return {
    name: `mail_${purpose}`,
    page,
    token: 'derived',
    lifetime: null,
    max_uses: null,
    one_living: false,
    use_ends_others: false,
    refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
    finds: (connection, token, now) => recordOfToken(connection, { purpose, token, now }),
  };
}

async function recordOfToken(
  connection: Connection,
  { purpose, token, now }: { purpose: TokenPurpose; token: string; now: Date },
): Promise<LinkedRecord | null> {
  const reader = {
    connection,
    organization_id: NO_ORGANIZATION,
    actor: systemActor,
    now,
    request_id: null,
    ip_address: null,
  };
  const claimed = readToken(token);
  if (!claimed) return null;
  // Both are asked in one trip. What nobody proved has any numbers, also those that the columns cannot hold.
  const [owner, [row]] = await Promise.all([
    ownerOfToken(reader, purpose, token),
    connection.query<{ organization_id: string; id: string; recipient_id: string | null }>(
      `SELECT c.organization_id, c.id, r.id AS recipient_id FROM mail_campaigns c
         LEFT JOIN mail_campaign_recipients r
           ON r.organization_id = c.organization_id AND r.campaign_id = c.id AND r.number = $2::bigint
        WHERE c.number = $1::bigint`,
      [claimed.campaign_number, claimed.recipient_number],
    ),
  ]);
  if (!owner || !row) return null;
  const record_id = owner.recipient_number === NO_RECIPIENT ? row.id : row.recipient_id;
  return record_id === null ? null : { organization_id: row.organization_id, record_id };
}
