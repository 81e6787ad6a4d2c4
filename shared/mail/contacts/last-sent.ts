import type { Work } from '../../kernel/work.ts';

/** Notes at once that mails have left for contacts at a time, where none has left later. Locks: the contacts by e-mail. */
export async function noteLastSent(work: Work, contact_ids: readonly string[], at: string): Promise<void> {
  if (contact_ids.length === 0) return;
  await work.connection.query(
    `WITH held AS MATERIALIZED (
       SELECT id FROM mail_contacts WHERE organization_id = $1 AND id = ANY ($2) ORDER BY email_key FOR NO KEY UPDATE
     )
     UPDATE mail_contacts AS contact SET last_sent_at = greatest(contact.last_sent_at, $3::timestamptz)
       FROM held WHERE contact.organization_id = $1 AND contact.id = held.id`,
    [work.organization_id, contact_ids, at],
  );
}
