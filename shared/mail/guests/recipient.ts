import { notFound } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';

/** Who holds a link of a mail. */
export type MailGuest = {
  campaign_id: string;
  locale: Language;
  /** The recipient; null: the mail was a test, and nothing of it changes or counts anything. */
  recipient_id: string | null;
  number: number | null;
  contact_id: string | null;
  /** The address that the mail went to; null once its contact was erased. */
  email: string | null;
  email_key: string | null;
  email_hash: Buffer | null;
  sent_at: string | null;
  tracked: boolean;
};

const OF_RECIPIENT = `SELECT c.id AS campaign_id, c.locale, r.id AS recipient_id, r.number, r.contact_id, r.email,
    r.email_key, r.email_hash, r.sent_at, r.tracked
  FROM mail_campaign_recipients r
  JOIN mail_campaigns c ON c.organization_id = r.organization_id AND c.id = r.campaign_id
 WHERE r.organization_id = $1 AND r.id = $2`;

const OF_TEST = `SELECT id AS campaign_id, locale, NULL AS recipient_id, NULL::integer AS number, NULL AS contact_id,
    NULL AS email, NULL AS email_key, NULL::bytea AS email_hash, NULL::timestamptz AS sent_at, false AS tracked
  FROM mail_campaigns WHERE organization_id = $1 AND id = $2`;

/** Whose link it is, by the record that it opens: a recipient, or the campaign of a test mail. Errors: `not_found`. */
export async function guestOf(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  record_id: string,
): Promise<MailGuest> {
  const text = isTest(record_id) ? OF_TEST : OF_RECIPIENT;
  const [row] = await connection.query<MailGuest>(text, [organization_id, record_id]);
  if (!row) throw notFound();
  return row;
}

/** Whether a link is one of a test mail. */
export function isTest(record_id: string): boolean {
  return record_id.startsWith('camp_');
}
