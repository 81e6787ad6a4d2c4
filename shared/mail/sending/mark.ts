import type { Work } from '../../kernel/work.ts';
import { type MailingRules, refusalSql } from '../campaigns/audience.ts';
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

type MarkedRow = MarkedRecipient & { reason: string | null };

const IS_UNDER_WAY = "(SELECT status = 'sending' FROM mail_campaigns WHERE organization_id = $1 AND id = $2)";

/**
 * Marks the next recipients that are due as `sending`, those that are tried again first; none while the campaign is not under way,
 * which the statement asks itself, so that it can travel with the lock of the campaign before it. Rows that others hold are passed
 * over. Who must not be mailed any more is skipped in the same statement. Locks: the recipients, the counts.
 */
export async function markRecipients(
  work: Work,
  campaign: { id: string } & MailingRules,
  { most, lease_id }: { most: number; lease_id: string },
): Promise<{ marked: MarkedRecipient[]; found: number }> {
  const now = work.now.toISOString();
  const lease_until = new Date(work.now.getTime() + LEASE).toISOString();
  const values: unknown[] = [work.organization_id, campaign.id, most, now, lease_until, lease_id];
  const reason = refusalSql(campaign, 'recipient.email_hash', (value) => `$${values.push(value)}`);
  const rows = await work.connection.query<MarkedRow>(
    `WITH again AS MATERIALIZED (
       SELECT number FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued' AND next_attempt_at <= $4
          AND ${IS_UNDER_WAY}
        ORDER BY next_attempt_at, number LIMIT $3 FOR UPDATE SKIP LOCKED
     ), new AS MATERIALIZED (
       SELECT number FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued' AND next_attempt_at IS NULL
          AND ${IS_UNDER_WAY}
        ORDER BY number LIMIT $3 - (SELECT count(*) FROM again) FOR UPDATE SKIP LOCKED
     ), asked AS MATERIALIZED (
       SELECT recipient.number, contact.first_name, contact.last_name, contact.attributes,
              CASE WHEN contact.id IS NULL THEN 'erased' ELSE ${reason} END AS reason
         FROM mail_campaign_recipients AS recipient
         LEFT JOIN mail_contacts AS contact
           ON contact.organization_id = $1 AND contact.id = recipient.contact_id
        -- As an array they are few to the planner, whom a LIMIT tells a tenth of the campaign, which it would read whole.
        WHERE recipient.organization_id = $1 AND recipient.campaign_id = $2
          AND recipient.number = ANY (ARRAY (SELECT number FROM again UNION ALL SELECT number FROM new))
     )
     UPDATE mail_campaign_recipients AS row
        SET status = CASE WHEN asked.reason IS NULL THEN 'sending' ELSE 'skipped' END, reason = asked.reason,
            lease_until = CASE WHEN asked.reason IS NULL THEN $5::timestamptz END, lease_id = $6, updated_at = $4
       FROM asked
      WHERE row.organization_id = $1 AND row.campaign_id = $2 AND row.number = asked.number
     RETURNING row.number, row.id, row.email, row.email_key, row.attempts, row.next_attempt_at, row.tracked,
       asked.first_name, asked.last_name, asked.attributes, asked.reason`,
    values,
  );
  const marked = rows.filter(({ reason }) => reason === null);
  const skipped = rows.filter(({ reason }) => reason !== null);
  const [first] = rows;
  if (first) {
    const counted = { campaign_id: campaign.id, number: first.number };
    moveCounts(work, counted, { queued: -rows.length, sending: marked.length, skipped: skipped.length });
    countSkips(
      work,
      counted,
      skipped.map(({ reason }) => reason!),
    );
  }
  return { marked: marked.toSorted((left, right) => left.number - right.number), found: rows.length };
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
