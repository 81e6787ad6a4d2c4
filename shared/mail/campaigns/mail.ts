import { randomBytes } from 'node:crypto';
import { notFound, unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { organizationById } from '../../platform/access/organizations/queries.ts';
import { usableKey } from '../../platform/links/keys.ts';
import type { CampaignMail } from '../content/compiled.ts';
import { type MailPreview, previewOf } from '../content/preview.ts';
import type { MailOrigin, MailRecipient } from '../content/values.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import type { MailSettings } from '../settings/record.ts';
import type { Campaign } from './record.ts';
import { NO_RECIPIENT, RECIPIENT_TOKENS } from './tokens.ts';

/** What of a campaign its mails are made from. */
export type WrittenMail = Pick<
  Campaign,
  | 'subject'
  | 'preheader'
  | 'body_html'
  | 'body_text'
  | 'locale'
  | 'from_name'
  | 'from_email'
  | 'reply_to'
  | 'mail_order'
  | 'track_opens'
  | 'track_clicks'
> & { number: number };

/**
 * A campaign as its mails are made from it, with the settings where it leaves something out. `from_email` is empty where
 * neither names one.
 */
export function campaignMailOf(written: WrittenMail, settings: MailSettings): CampaignMail {
  const { number, subject, preheader, body_html, body_text, locale, track_opens, track_clicks } = written;
  const { sender_name, sender_address, sender_contact, bounce_address } = settings;
  const is_mail_order = written.mail_order ?? settings.mail_order;
  return {
    number,
    subject: subject ?? '',
    preheader,
    body_html,
    body_text,
    locale,
    notice_url: is_mail_order ? settings.mail_order_notice_url : null,
    from_name: written.from_name ?? settings.default_from_name,
    from_email: written.from_email ?? settings.default_from_email ?? '',
    reply_to: written.reply_to ?? settings.default_reply_to,
    sender_name,
    sender_address,
    sender_contact,
    bounce_address,
    track_opens,
    track_clicks,
  };
}

/** The number of a campaign over all organizations. Errors: `not_found`. */
export async function campaignNumber(
  { connection, organization_id }: Reader,
  campaign_id: string,
): Promise<number> {
  const [row] = await connection.query<{ number: string | number }>(
    'SELECT number FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
    [organization_id, campaign_id],
  );
  if (!row) throw notFound();
  return Number(row.number);
}

/** Where the mails of an organization lead, and the key of their tokens, which is made where there is none. */
export async function mailOriginOf(reader: Reader, base_url: string): Promise<MailOrigin> {
  const { slug } = await organizationById(reader.connection, reader.organization_id);
  const key = await usableKey(reader, RECIPIENT_TOKENS, () => randomBytes(32));
  return { base_url, organization_slug: slug, key };
}

/** Whom test mails and previews are made out to where no contact is named: nobody, so that every fallback stands there. */
export const NOBODY: MailRecipient = {
  id: 'mrcp_00000000000000000000000000',
  number: NO_RECIPIENT,
  email: '',
  first_name: null,
  last_name: null,
  attributes: {},
  tracked: false,
};

/**
 * A contact as the recipient of a test mail or a preview: its tokens change nothing, and nothing is counted. Errors:
 * `unknown_reference` at /contact_id.
 */
export async function triedRecipient(
  { connection, organization_id }: Reader,
  contact_id: string | null,
): Promise<MailRecipient> {
  if (contact_id === null) return NOBODY;
  const [row] = await connection.query<
    Pick<MailRecipient, 'email' | 'first_name' | 'last_name' | 'attributes'>
  >(
    `SELECT email, first_name, last_name, attributes FROM mail_contacts WHERE organization_id = $1 AND id = $2`,
    [organization_id, contact_id],
  );
  if (!row) throw unknownReference('/contact_id', contact_id);
  return { ...NOBODY, ...row };
}

/** The mail that a contact would get now; `contact_id` null: nobody. Errors: `unknown_reference` at /contact_id. */
export async function previewTo(
  reader: Reader,
  written: WrittenMail,
  { contact_id, base_url }: { contact_id: string | null; base_url: string },
): Promise<MailPreview> {
  const settings = await mailSettingsOf(reader);
  const recipient = await triedRecipient(reader, contact_id);
  const origin = await mailOriginOf(reader, base_url);
  return previewOf(campaignMailOf(written, settings), origin, recipient, reader.now);
}
