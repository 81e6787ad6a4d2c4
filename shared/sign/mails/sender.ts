import type { Reader } from '../../kernel/reader.ts';
import type { Locale } from '../../platform/mailer/letter.ts';

/** Who sends a document, as mails name them. */
export type Sender = { name: string; email: string; locale: Locale };

/** Who created a document, while they belong to the organization; null: mails name the organization alone. */
export async function senderOf(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  { created_by }: { created_by: string | null },
): Promise<Sender | null> {
  if (created_by === null) return null;
  const [found] = await connection.query<Sender>(
    `SELECT person.name, person.email, person.locale
       FROM members AS member JOIN users AS person ON person.id = member.user_id
      WHERE member.organization_id = $1 AND member.user_id = $2 AND member.left_at IS NULL`,
    [organization_id, created_by],
  );
  return found ?? null;
}

/** The name of the reader's organization: mails come from it. */
export async function organizationName({
  connection,
  organization_id,
}: Pick<Reader, 'connection' | 'organization_id'>): Promise<string> {
  const [found] = await connection.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    organization_id,
  ]);
  return found!.name;
}
