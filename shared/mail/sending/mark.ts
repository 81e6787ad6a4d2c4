import type { Work } from '../../kernel/work.ts';
import {
  AGREES_TO_TRACKING,
  EMAIL_HASH,
  INVALID,
  type MailingRules,
  refusalSql,
} from '../campaigns/audience.ts';
import { moveCounts } from '../campaigns/counts.ts';
import { countSkips } from '../campaigns/skips.ts';

/** Milliseconds for which a marked row belongs to its slice. */
export const LEASE = 60_000;

/** A row that was marked, with what its mail is made from. */
export type MarkedRecipient = {
  number: number;
  id: string;
  email: string;
  email_key: string;
  attempts: number;
  next_attempt_at: string | null;
  tracked: boolean;
  first_name: string | null;
  last_name: string | null;
  attributes: Record<string, string>;
};

type MarkedRow = MarkedRecipient & { was_tracked: boolean; reason: string | null };

const IS_UNDER_WAY = "(SELECT status = 'sending' FROM mail_campaigns WHERE organization_id = $1 AND id = $2)";

/**
 * Picks the next recipients that are due, those that are tried again first, and locks them and their contacts; whom others hold is
 * passed over, so that it never waits. The numbers stand in a setting of the transaction: the next statement, which sees what was
 * committed until the locks were there, travels with this one.
 */
const PICK = `
  WITH again AS MATERIALIZED (
    SELECT number, contact_id FROM mail_campaign_recipients
     WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued' AND next_attempt_at <= $4
       AND ${IS_UNDER_WAY}
     ORDER BY next_attempt_at, number LIMIT $3 FOR UPDATE SKIP LOCKED
  ), new AS MATERIALIZED (
    SELECT number, contact_id FROM mail_campaign_recipients
     WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued' AND next_attempt_at IS NULL
       AND ${IS_UNDER_WAY}
     ORDER BY number LIMIT $3 - (SELECT count(*) FROM again) FOR UPDATE SKIP LOCKED
  ), due AS (SELECT * FROM again UNION ALL SELECT * FROM new), held AS MATERIALIZED (
    SELECT id FROM mail_contacts WHERE organization_id = $1 AND id = ANY (ARRAY (SELECT contact_id FROM due))
     ORDER BY email_key FOR SHARE SKIP LOCKED
  )
  SELECT set_config('mail.picked_recipients', coalesce(array_agg(number), '{}')::text, true)
    FROM due WHERE contact_id IS NULL OR contact_id IN (SELECT id FROM held)`;

/**
 * SQL of whether the mail has gone, or may have gone, to the address that the contact of `recipient` has now, for another recipient: one
 * whose contact had it then, or who was erased since. Nobody can take the address meanwhile: it is one contact's, which is locked.
 */
const IS_REPEATED = [
  'other.email_key = contact.email_key',
  'other.contact_id IS NULL AND other.email_hash = address.email_hash',
]
  .map(
    (isSame) => `EXISTS (SELECT FROM mail_campaign_recipients AS other
      WHERE other.organization_id = $1 AND other.campaign_id = $2 AND ${isSame} AND other.number <> recipient.number
        AND other.status IN ('sending', 'sent', 'unknown'))`,
  )
  .join(' OR ');

const PICKED = "current_setting('mail.picked_recipients')::integer[]";

/**
 * Marks the next recipients that are due as `sending`; none while the campaign is not under way, which the statement asks itself, so
 * that it can travel with the lock of the campaign before it. Who must not be mailed any more is skipped: refusals are asked for when
 * the contacts are locked, so one that commits before the mark counts, and any other waits until the mail has begun. So it is with who
 * agreed to tracking at the freeze and has withdrawn that. The mail goes to the address that the contact has now, unless another
 * recipient's has gone there. Locks: the recipients and their contacts, without waiting for any; the counts.
 */
export async function markRecipients(
  work: Work,
  campaign: { id: string } & MailingRules,
  { most, lease_id }: { most: number; lease_id: string },
): Promise<{ marked: MarkedRecipient[]; found: number }> {
  const now = work.now.toISOString();
  const lease_until = new Date(work.now.getTime() + LEASE).toISOString();
  const values: unknown[] = [work.organization_id, campaign.id, now, lease_until, lease_id];
  const reason = refusalSql(campaign, 'address.email_hash', (value) => `$${values.push(value)}`);
  const picking = work.connection.query(PICK, [work.organization_id, campaign.id, most, now]);
  const marking = work.connection.query<MarkedRow>(
    `WITH asked AS MATERIALIZED (
       SELECT recipient.number, contact.first_name, contact.last_name, contact.attributes,
              recipient.tracked AS was_tracked, ${AGREES_TO_TRACKING} AS agrees,
              contact.email, contact.email_key, address.email_hash,
              CASE WHEN contact.id IS NULL THEN 'erased' ELSE coalesce(${reason}, CASE
                WHEN ${IS_REPEATED} THEN 'repeated_address'
                WHEN contact.email_key <> recipient.email_key AND ${INVALID} THEN 'invalid_address' END) END AS reason
         FROM mail_campaign_recipients AS recipient
         LEFT JOIN mail_contacts AS contact
           ON contact.organization_id = $1 AND contact.id = recipient.contact_id
         CROSS JOIN LATERAL (SELECT CASE WHEN contact.email_key = recipient.email_key THEN recipient.email_hash
           ELSE ${EMAIL_HASH} END AS email_hash) AS address
        -- As an array they are few to the planner.
        WHERE recipient.organization_id = $1 AND recipient.campaign_id = $2
          AND recipient.number = ANY (${PICKED})
     )
     UPDATE mail_campaign_recipients AS row
        SET status = CASE WHEN asked.reason IS NULL THEN 'sending' ELSE 'skipped' END, reason = asked.reason,
            next_attempt_at = CASE WHEN asked.reason IS NULL THEN row.next_attempt_at END,
            lease_until = CASE WHEN asked.reason IS NULL THEN $4::timestamptz END, lease_id = $5, updated_at = $3,
            tracked = row.tracked AND asked.agrees, email = asked.email, email_key = asked.email_key,
            email_hash = coalesce(asked.email_hash, row.email_hash)
       FROM asked
      WHERE row.organization_id = $1 AND row.campaign_id = $2 AND row.number = asked.number
     RETURNING row.number, row.id, row.email, row.email_key, row.attempts, row.next_attempt_at, row.tracked,
       asked.was_tracked, asked.first_name, asked.last_name, asked.attributes, asked.reason`,
    values,
  );
  const [, rows] = await Promise.all([picking, marking]);
  const marked = rows.filter(({ reason }) => reason === null);
  const skipped = rows.filter(({ reason }) => reason !== null);
  const [first] = rows;
  if (first) {
    const counted = { campaign_id: campaign.id, number: first.number };
    moveCounts(work, counted, {
      queued: -rows.length,
      sending: marked.length,
      skipped: skipped.length,
      tracked: -rows.filter((row) => row.was_tracked && !row.tracked).length,
    });
    countSkips(
      work,
      counted,
      skipped.map(({ reason }) => reason!),
    );
  }
  return { marked: marked.toSorted((left, right) => left.number - right.number), found: rows.length };
}

/** How many recipients of a campaign are due, counted up to `most`: what may begin is taken for no more than these. */
export async function countDue(
  { connection, organization_id, now }: Work,
  campaign_id: string,
  most: number,
): Promise<number> {
  const due = (condition: string) => `SELECT FROM mail_campaign_recipients
    WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued' AND ${condition} LIMIT $4`;
  const [row] = await connection.query<{ due: number }>(
    `SELECT least($4::bigint, (SELECT count(*) FROM (${due('next_attempt_at <= $3')}) AS again) +
            (SELECT count(*) FROM (${due('next_attempt_at IS NULL')}) AS new))::integer AS due`,
    [organization_id, campaign_id, now.toISOString(), most],
  );
  return row!.due;
}

/** Renews the lease of rows that a slice still has in hand. */
export function renewLeases(
  work: Work,
  campaign_id: string,
  numbers: readonly number[],
  lease_id: string,
): void {
  if (numbers.length === 0) return;
  work.run(
    `UPDATE mail_campaign_recipients SET lease_until = $5
      WHERE organization_id = $1 AND campaign_id = $2 AND number = ANY ($3) AND lease_id = $4 AND status = 'sending'`,
    [
      work.organization_id,
      campaign_id,
      numbers,
      lease_id,
      new Date(work.now.getTime() + LEASE).toISOString(),
    ],
  );
}
