import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { transaction } from '../../db/transaction.ts';

/** Records that one transaction looks at. */
const BATCH = 1_000;

type Position = { organization_id: string; id: string };

/**
 * Removes records of consent whose time is over: the contact is gone, has another address or no consent any more, and the last mail
 * to it is as long ago as the law wants a record kept. Answers how many. Safe to run twice, also at the same time.
 */
export async function forgetOldConsents(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let after: Position | null = { organization_id: '', id: '' }; after !== null && !signal.aborted; ) {
    const from: Position = after;
    const batch = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      transaction(connection, async (commit) => {
        await connection.query("SELECT set_config('mail.retention_is_over', 'on', true)");
        const [row] = await connection.query<{ last: Position | null; removed: number }>(FORGET, [
          from.organization_id,
          from.id,
          BATCH,
          now.toISOString(),
        ]);
        await commit(Promise.resolve());
        return row!;
      }),
    );
    total += batch.removed;
    after = batch.last;
  }
  return total;
}

/** How many months a record is kept after a mail of a kind, by the law of the day on which it left. */
const keptMonths = (kind: string, at: string) => `(
  SELECT keep_months FROM mail_law_periods
   WHERE kind = ${kind} AND valid_from <= (${at} AT TIME ZONE 'Asia/Tokyo')::date ORDER BY valid_from DESC LIMIT 1)`;

const isOver = (kind: string, at: string) =>
  `${at} + make_interval(months => ${keptMonths(kind, at)}) <= $4::timestamptz`;

/** $1 and $2: after which record, $3: how many are looked at, $4: now. A mail whose outcome is unknown may have left. */
const FORGET = `
  WITH looked AS (
    SELECT organization_id, id, contact_id, email_hash, created_at FROM mail_consent_records
     WHERE (organization_id, id) > ($1, $2) ORDER BY organization_id, id LIMIT $3
  ), loose AS (
    SELECT looked.* FROM looked
      LEFT JOIN mail_contacts AS contact
        ON contact.organization_id = looked.organization_id AND contact.id = looked.contact_id
     WHERE (contact.consent IS NULL OR looked.email_hash <>
             sha256(convert_to(looked.organization_id || chr(10) || contact.email_key, 'UTF8')))
       AND ${isOver("'advertisement'", 'looked.created_at')}
  ), over AS (
    SELECT loose.organization_id, loose.id FROM loose
     WHERE NOT EXISTS (
       SELECT FROM (
         SELECT * FROM mail_campaign_recipients AS known
          WHERE known.organization_id = loose.organization_id AND known.contact_id = loose.contact_id
         UNION ALL
         SELECT * FROM mail_campaign_recipients AS erased
          WHERE erased.organization_id = loose.organization_id AND erased.email_hash = loose.email_hash
            AND erased.contact_id IS NULL) AS recipient
         JOIN mail_campaigns AS campaign
           ON campaign.organization_id = recipient.organization_id AND campaign.id = recipient.campaign_id
         LEFT JOIN mail_settings AS settings ON settings.organization_id = loose.organization_id
        CROSS JOIN LATERAL (SELECT coalesce(recipient.sent_at, recipient.updated_at) AS at,
          CASE WHEN coalesce(campaign.mail_order, settings.mail_order, false) THEN 'mail_order' ELSE 'advertisement' END
            AS kind) AS mail
        WHERE recipient.status IN ('sending', 'sent', 'unknown') AND NOT ${isOver('mail.kind', 'mail.at')})
  ), removed AS (
    DELETE FROM mail_consent_records AS record USING over
     WHERE record.organization_id = over.organization_id AND record.id = over.id RETURNING 1
  ) SELECT (SELECT jsonb_build_object('organization_id', organization_id, 'id', id) FROM looked
             ORDER BY organization_id DESC, id DESC LIMIT 1) AS last,
           (SELECT count(*)::integer FROM removed) AS removed`;
