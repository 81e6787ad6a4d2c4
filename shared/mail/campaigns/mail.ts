import { randomBytes } from 'node:crypto';
import { unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { organizationById } from '../../platform/access/organizations/queries.ts';
import { usableKey } from '../../platform/links/keys.ts';
import type { CampaignMail } from '../content/compiled.ts';
import { type MailPreview, previewOf } from '../content/preview.ts';
import type { MailOrigin, MailRecipient } from '../content/values.ts';
import type { DraftMail } from './sender.ts';
import { NO_RECIPIENT, RECIPIENT_TOKENS } from './tokens.ts';

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
  mail: DraftMail,
  { contact_id, base_url }: { contact_id: string | null; base_url: string },
): Promise<MailPreview> {
  const recipient = await triedRecipient(reader, contact_id);
  const origin = await mailOriginOf(reader, base_url);
  return previewOf(complete(mail), origin, recipient, reader.now);
}

/** A campaign as a mail is made from it, also where nobody is known yet who sends it. */
export function complete(mail: DraftMail): CampaignMail {
  return { ...mail, from_email: mail.from_email ?? '' };
}
