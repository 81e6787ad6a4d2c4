import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { ownerOfToken, type TokenPurpose } from '../campaigns/tokens.ts';
import type { BounceClass } from './classify.ts';
import type { Traces } from './event.ts';

/** A recipient of a campaign as bounces, complaints and refusals change it. */
export type MailedRecipient = {
  campaign_id: string;
  number: number;
  id: string;
  contact_id: string | null;
  email: string | null;
  email_key: string | null;
  email_hash: Buffer;
  status: string;
  tracked: boolean;
  sent_at: string | null;
  message_id: string | null;
  bounce_class: BounceClass | null;
  bounce_at: string | null;
  bounce_suppression_id: string | null;
  bounced_contact_at: string | null;
  complained_at: string | null;
  unsubscribed_at: string | null;
  opened_at: string | null;
  clicked_at: string | null;
  updated_at: string;
};

/** The table of recipients, for changes of a row by its ID. */
export const Recipients = { tableName: 'mail_campaign_recipients' };

const COLUMNS = `r.campaign_id, r.number, r.id, r.contact_id, r.email, r.email_key, r.email_hash, r.status, r.tracked,
  r.sent_at, r.message_id, r.bounce_class, r.bounce_at, r.bounce_suppression_id, r.bounced_contact_at,
  r.complained_at, r.unsubscribed_at, r.opened_at, r.clicked_at, r.updated_at`;

/** Purposes of tokens that stand in addresses at which mails arrive. */
const addressed = ['bounce', 'unsubscribe_mail'] as const satisfies readonly TokenPurpose[];

/** A recipient to whom no mail has left cannot have got one; one that is queued again, or was skipped then, may have. */
const MAILED = "(r.status IN ('sending', 'sent', 'failed', 'unknown') OR r.attempts > 0)";

/**
 * Which recipients a token may prove. Who unsubscribes holds the mail, whatever is known of it: it may wait to be sent once more.
 */
const provable = { bounce: `AND ${MAILED}`, unsubscribe_mail: '' } as const;

/**
 * The recipient that traces prove, its row locked until the work commits; null where they prove none. A token is a proof by its
 * MAC, a Message-ID by the ID of the recipient in it, which nobody can guess.
 */
export async function provenRecipient(
  reader: Reader,
  purpose: keyof typeof provable,
  { tokens, message_ids }: Traces,
): Promise<MailedRecipient | null> {
  const owners = await Promise.all(tokens.map((token) => ownerOfToken(reader, purpose, token)));
  const owner = owners.find((one) => one !== null);
  if (owner) {
    const [row] = await reader.connection.query<MailedRecipient>(
      `SELECT ${COLUMNS} FROM mail_campaigns c
        JOIN mail_campaign_recipients r ON r.organization_id = c.organization_id AND r.campaign_id = c.id
       WHERE c.organization_id = $1 AND c.number = $2 AND r.number = $3 ${provable[purpose]} FOR NO KEY UPDATE OF r`,
      [reader.organization_id, owner.campaign_number, owner.recipient_number],
    );
    return row ?? null;
  }
  const [row] = await reader.connection.query<MailedRecipient>(
    `SELECT ${COLUMNS} FROM mail_campaign_recipients r
      WHERE r.organization_id = $1 AND r.id = ANY ($2) AND ${MAILED} ORDER BY r.campaign_id, r.number LIMIT 1
      FOR NO KEY UPDATE OF r`,
    [reader.organization_id, message_ids.flatMap((message_id) => recipientIdIn(message_id) ?? [])],
  );
  if (!row || (row.message_id !== null && !message_ids.includes(row.message_id))) return null;
  return row;
}

/** One recipient, its row locked until the work commits. Errors: `not_found`. */
export async function lockRecipient(
  { connection, organization_id }: Reader,
  id: string,
): Promise<MailedRecipient> {
  const [row] = await connection.query<MailedRecipient>(
    `SELECT ${COLUMNS} FROM mail_campaign_recipients r
      WHERE r.organization_id = $1 AND r.id = $2 FOR NO KEY UPDATE OF r`,
    [organization_id, id],
  );
  if (!row) throw notFound();
  return row;
}

/** Recipients of a campaign with a bounce, after a number, in their order; their rows locked until the work commits. */
export async function bouncedRecipients(
  { connection, organization_id }: Reader,
  { campaign_id, after, most }: { campaign_id: string; after: number; most: number },
): Promise<MailedRecipient[]> {
  return connection.query<MailedRecipient>(
    `SELECT ${COLUMNS} FROM mail_campaign_recipients r
      WHERE r.organization_id = $1 AND r.campaign_id = $2 AND r.number > $3 AND r.bounce_at IS NOT NULL
      ORDER BY r.number LIMIT $4 FOR NO KEY UPDATE OF r`,
    [organization_id, campaign_id, after, most],
  );
}

/** Recipients of a campaign by their numbers, in the order of their e-mails; their rows locked until the work commits. */
export async function recipientsByNumber(
  { connection, organization_id }: Reader,
  campaign_id: string,
  numbers: readonly number[],
): Promise<MailedRecipient[]> {
  return connection.query<MailedRecipient>(
    `SELECT * FROM (
       SELECT ${COLUMNS} FROM mail_campaign_recipients r
        WHERE r.organization_id = $1 AND r.campaign_id = $2 AND r.number = ANY ($3)
        ORDER BY r.number FOR NO KEY UPDATE OF r) AS held
      ORDER BY email_key, number`,
    [organization_id, campaign_id, numbers],
  );
}

/**
 * The organization whose mail traces name, for what comes in without a word of it; null where they prove none. Any of the purposes
 * of addresses does: an answer to a mail is no report, and is still for the one who sent it.
 */
export async function provenOrganization(
  reader: Reader,
  { tokens, message_ids }: Traces,
): Promise<string | null> {
  const asked = tokens.flatMap((token) => addressed.map((purpose) => ownerOfToken(reader, purpose, token)));
  const owner = (await Promise.all(asked)).find((one) => one !== null);
  const [row] = owner
    ? await reader.connection.query<{ organization_id: string }>(
        'SELECT organization_id FROM mail_campaigns WHERE number = $1',
        [owner.campaign_number],
      )
    : await reader.connection.query<{ organization_id: string }>(
        `SELECT r.organization_id FROM organizations
          JOIN mail_campaign_recipients r ON r.organization_id = organizations.id AND r.id = ANY ($1) LIMIT 1`,
        [message_ids.flatMap((message_id) => recipientIdIn(message_id) ?? [])],
      );
  return row?.organization_id ?? null;
}

/** The recipient's ID in the Message-ID of its mail. */
function recipientIdIn(message_id: string): string | null {
  return /^<(mrcp_[0-9a-z]{26})@/.exec(message_id)?.[1] ?? null;
}
