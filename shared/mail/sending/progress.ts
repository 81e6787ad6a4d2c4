import type { Work } from '../../kernel/work.ts';

/** How many mails of a campaign have come to an end, of all that were to be sent. */
export async function progressOf(
  { connection, organization_id }: Work,
  campaign_id: string,
): Promise<{ done: number; total: number }> {
  const [row] = await connection.query<{ done: number; total: number }>(
    `SELECT coalesce(sum(sent + failed + unknown), 0)::integer AS done,
            coalesce(sum(sent + failed + unknown + queued + sending), 0)::integer AS total
       FROM mail_campaign_counts WHERE organization_id = $1 AND campaign_id = $2`,
    [organization_id, campaign_id],
  );
  return row!;
}

/** SQL of whether a campaign (`$2`) of an organization (`$1`) has recipients who are queued or under way: each by its index. */
export const HAS_OPEN = [
  "status = 'queued' AND next_attempt_at IS NULL",
  "status = 'queued' AND next_attempt_at IS NOT NULL",
  "status = 'sending'",
]
  .map(
    (condition) =>
      `EXISTS (SELECT FROM mail_campaign_recipients WHERE organization_id = $1 AND campaign_id = $2 AND ${condition})`,
  )
  .join(' OR ');
