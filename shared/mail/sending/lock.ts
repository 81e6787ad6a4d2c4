import type { Work } from '../../kernel/work.ts';

/**
 * Locks recipients of a campaign and their contacts. Everybody who changes both locks in this order: the campaign, its recipients by
 * number, their contacts by e-mail (as imports do), the lists or suppressions, the speeds of domains, the counts. To be sent ahead
 * where what follows would lock them in several steps.
 */
export async function lockRecipients(
  { connection, organization_id }: Pick<Work, 'connection' | 'organization_id'>,
  campaign_id: string,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  await connection.query(
    `WITH held AS MATERIALIZED (
       SELECT contact_id FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND number = ANY ($3) ORDER BY number FOR UPDATE
     ), contacts AS MATERIALIZED (
       SELECT id FROM mail_contacts WHERE organization_id = $1 AND id = ANY (ARRAY (SELECT contact_id FROM held))
        ORDER BY email_key FOR NO KEY UPDATE
     )
     SELECT count(*) FROM contacts`,
    [organization_id, campaign_id, numbers],
  );
}
