import type { Work } from '../../kernel/work.ts';

/** Notes when mails have left for contacts, where none has left later. Locks: the contacts in the order of their IDs. */
export async function noteLastSent(
  { connection, organization_id }: Work,
  contact_ids: readonly string[],
  at: string,
): Promise<void> {
  if (contact_ids.length === 0) return;
  await connection.query(
    `WITH held AS MATERIALIZED (
       SELECT id FROM mail_contacts WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE)
     UPDATE mail_contacts contact SET last_sent_at = GREATEST(contact.last_sent_at, $3::timestamptz)
       FROM held WHERE contact.organization_id = $1 AND contact.id = held.id`,
    [organization_id, contact_ids, at],
  );
}
