import type { Work } from '../../kernel/work.ts';

/** What rows name contacts by; e-mails in small letters. */
type ContactKeys = {
  external_ids: readonly string[];
  emails: readonly string[];
  ids: readonly string[];
};

/** The IDs of the contacts that have one of the keys; no lock is taken. */
export async function contactIdsBy(
  work: Work,
  { external_ids, emails, ids }: ContactKeys,
): Promise<string[]> {
  if (external_ids.length + emails.length + ids.length === 0) return [];
  const found = await work.connection.query<{ id: string }>(
    `SELECT id FROM crm_contacts WHERE organization_id = $1 AND external_id = ANY ($2)
     UNION SELECT id FROM crm_contacts WHERE organization_id = $1 AND email_key = ANY ($3)
     UNION SELECT id FROM crm_contacts WHERE organization_id = $1 AND id = ANY ($4)`,
    [work.organization_id, external_ids, emails, ids],
    { prepared: false },
  );
  return found.map(({ id }) => id);
}
