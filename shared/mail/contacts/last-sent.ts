import type { Work } from '../../kernel/work.ts';

/** A contact, and when a mail left for it (ISO 8601). */
export type Sent = { contact_id: string; at: string };

const NOTE = `
  WITH given AS (SELECT * FROM unnest($2::text[], $3::timestamptz[]) AS given (id, at)),
    held AS MATERIALIZED (
      SELECT id FROM mail_contacts WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE
    )
  UPDATE mail_contacts AS contact SET last_sent_at = greatest(contact.last_sent_at, given.at)
    FROM given JOIN held USING (id) WHERE contact.organization_id = $1 AND contact.id = given.id`;

/** The statement that notes when mails have left for contacts, where none has left later. Locks: the contacts by ID. */
export function lastSentStatement({ organization_id }: Work, sent: readonly Sent[]): [string, unknown[]] {
  const ids = sent.map(({ contact_id }) => contact_id);
  return [NOTE, [organization_id, ids, sent.map(({ at }) => at)]];
}

/** Notes at once that mails have left for contacts at a time. */
export async function noteLastSent(work: Work, contact_ids: readonly string[], at: string): Promise<void> {
  if (contact_ids.length === 0) return;
  const sent = contact_ids.map((contact_id) => ({ contact_id, at }));
  await work.connection.query(...lastSentStatement(work, sent));
}
