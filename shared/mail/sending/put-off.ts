import type { Work } from '../../kernel/work.ts';
import type { Speeds } from './domain-speeds.ts';

/** Recipients of one look. */
const LOOK = 200;

/** Milliseconds for which a recipient of a domain that is held back is put off, at the most. */
export const FARTHEST = 10 * 60_000;

/**
 * Puts those of the next recipients off whose domain is held back and has no turn by `by` (milliseconds), each to its turn: what may
 * begin is for the others then, and takes nothing of a limit in vain. What turns were given is kept in `speeds`. Locks: the recipients,
 * which others pass over.
 */
export async function putOffHeld(
  { connection, organization_id, now }: Work,
  campaign_id: string,
  { speeds, by }: { speeds: Speeds; by: number },
): Promise<void> {
  if (speeds.size === 0) return;
  const due = await connection.query<{ number: number; domain: string }>(
    `WITH again AS MATERIALIZED (
       SELECT number, email_key FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued' AND next_attempt_at <= $3
        ORDER BY next_attempt_at, number LIMIT ${LOOK}
     ), new AS MATERIALIZED (
       SELECT number, email_key FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued' AND next_attempt_at IS NULL
        ORDER BY number LIMIT ${LOOK} - (SELECT count(*) FROM again)
     ), next AS (
       SELECT number, substring(email_key FROM '[^@]*$') AS domain
         FROM (SELECT * FROM again UNION ALL SELECT * FROM new) AS due
     )
     SELECT number, domain FROM next WHERE domain = ANY ($4)`,
    [organization_id, campaign_id, now.toISOString(), [...speeds.keys()]],
  );
  const later: { number: number; at: number }[] = [];
  for (const { number, domain } of due) {
    const speed = speeds.get(domain)!;
    const at = Math.max(speed.next_at, now.getTime());
    speed.next_at = Math.min(at + speed.interval, now.getTime() + FARTHEST);
    if (at > by) later.push({ number, at });
  }
  if (later.length === 0) return;
  await connection.query(
    `WITH free AS MATERIALIZED (
       SELECT number FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND number = ANY ($4) AND status = 'queued'
        ORDER BY number FOR UPDATE SKIP LOCKED
     )
     UPDATE mail_campaign_recipients AS row SET next_attempt_at = given.at, updated_at = greatest($3, row.updated_at)
       FROM unnest($4::integer[], $5::timestamptz[]) AS given (number, at) JOIN free USING (number)
      WHERE row.organization_id = $1 AND row.campaign_id = $2 AND row.number = given.number`,
    [
      organization_id,
      campaign_id,
      now.toISOString(),
      later.map(({ number }) => number),
      later.map(({ at }) => new Date(at).toISOString()),
    ],
  );
}
