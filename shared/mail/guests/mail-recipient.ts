import type { Reader } from '../../kernel/reader.ts';
import { NOBODY } from '../campaigns/mail.ts';
import type { MailRecipient } from '../content/values.ts';
import type { MailGuest } from './recipient.ts';

/**
 * The holder of a link as the recipient of its mail, with what is known of the contact today; nobody in particular where the contact
 * is erased, and of a test mail.
 */
export async function mailRecipientOf(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  { contact_id, number, email }: MailGuest,
): Promise<MailRecipient> {
  const known = { ...NOBODY, number: number ?? NOBODY.number };
  if (contact_id === null) return known;
  const [contact] = await connection.query<
    Pick<MailRecipient, 'email' | 'first_name' | 'last_name' | 'attributes'>
  >(
    'SELECT email, first_name, last_name, attributes FROM mail_contacts WHERE organization_id = $1 AND id = $2',
    [organization_id, contact_id],
  );
  return contact ? { ...known, ...contact, email: email ?? contact.email } : known;
}
