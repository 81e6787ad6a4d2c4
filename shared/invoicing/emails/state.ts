import type { Reader } from '../../kernel/reader.ts';
import { type DocumentEmail, NO_EMAIL } from '../documents/fields.ts';

type Row = DocumentEmail & { id: string };

const NEWEST = `SELECT DISTINCT ON (email.document_id) email.document_id AS id, mails.status, email."to",
    mails.updated_at AS at, mails.error AS last_error
  FROM invoicing_emails AS email
  JOIN mails ON mails.organization_id = $1 AND mails.id = email.mail_id
 WHERE email.organization_id = $1 AND email.document_id = ANY ($2)
 ORDER BY email.document_id, email.mail_id DESC`;

/** How the newest mail of each document fares. */
export async function emailsOf(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<(id: string) => DocumentEmail> {
  const rows = await connection.query<Row>(NEWEST, [organization_id, ids]);
  const byDocument = new Map(rows.map(({ id, ...email }) => [id, email]));
  return (id) => byDocument.get(id) ?? NO_EMAIL;
}
