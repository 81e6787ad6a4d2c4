import { oneOf } from '../../db/one-of.ts';
import { type DocumentEmail, NO_EMAIL } from '../documents/fields.ts';

/** SQL: how the newest mail of each of the documents `$2` fares. `$1` is the organization. */
export const NEWEST_EMAILS = `
    SELECT DISTINCT ON (email.document_id) email.document_id, mails.status AS email_status,
        email."to" AS email_to, mails.updated_at AS email_at, mails.error AS email_error
      FROM invoicing_emails AS email
      JOIN mails ON mails.organization_id = $1 AND mails.id = email.mail_id
     WHERE email.organization_id = $1 AND email.document_id = ${oneOf('$2')}
     ORDER BY email.document_id, email.mail_id DESC`;

/** The columns of NEWEST_EMAILS that emailOf reads. */
export const EMAIL_COLUMNS = 'newest.email_status, newest.email_to, newest.email_at, newest.email_error';

export type EmailRow = {
  email_status: DocumentEmail['status'] | null;
  email_to: string[];
  email_at: string;
  email_error: string | null;
};

/** How the newest mail of a document fares, from its columns. */
export function emailOf({ email_status, email_to, email_at, email_error }: EmailRow): DocumentEmail {
  if (email_status === null) return NO_EMAIL;
  return { status: email_status, to: email_to, at: email_at, last_error: email_error };
}
