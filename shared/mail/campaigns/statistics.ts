import type { Connection } from '../../kernel/connection.ts';

/** Recipients below which no plan is worth it. */
const SMALL = 500;

/** A campaign of which the planner expects fewer than one recipient in so many has grown beyond what it knows. */
const FEW = 4;

/**
 * Has the planner look at the recipients of a campaign that it does not know of; not inside a transaction. It takes a campaign that
 * was just settled for one row, so that each group of mails read the whole campaign, and compared each of its rows with each of the
 * group, until the server came to analyse the table by itself (measured: 3,000 recipients at a fifth of the speed, and the more the slower).
 */
export async function analyzeRecipients(
  connection: Connection,
  {
    organization_id,
    campaign_id,
    recipients,
  }: { organization_id: string; campaign_id: string; recipients: number },
): Promise<void> {
  if (recipients < SMALL) return;
  const [explained] = await connection.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT FROM mail_campaign_recipients WHERE organization_id = $1 AND campaign_id = $2`,
    [organization_id, campaign_id],
    { prepared: false },
  );
  if (explained!['QUERY PLAN'][0].Plan['Plan Rows'] >= recipients / FEW) return;
  await connection.query('ANALYZE mail_campaign_recipients', [], { prepared: false });
}
