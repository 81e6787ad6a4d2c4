import type { Work } from '../../kernel/work.ts';
import { SLOTS } from './counts.ts';

const OF_CONTACT = 'FROM mail_campaign_recipients WHERE organization_id = $1 AND contact_id = $2';

/**
 * Locks a contact before its removal by `lock`, its recipients of campaigns before it, as everybody does. A freeze that names the
 * contact commits before `lock` has it, and none begins to meanwhile: where one did between, the transaction is run again.
 */
export async function lockBehindRecipients<Locked>(
  { connection, organization_id }: Work,
  contact_id: string,
  lock: () => Promise<Locked>,
): Promise<Locked> {
  const whose = [organization_id, contact_id];
  const [held] = await connection.query<{ count: number }>(
    `SELECT count(*)::integer AS count
       FROM (SELECT ${OF_CONTACT} ORDER BY campaign_id, number FOR UPDATE) AS held`,
    whose,
  );
  const locked = await lock();
  const [all] = await connection.query<{ count: number }>(
    `SELECT count(*)::integer AS count ${OF_CONTACT}`,
    whose,
  );
  if (all!.count === held!.count) return locked;
  throw Object.assign(new Error('The contact became a recipient meanwhile'), { code: '40001' });
}

/** What leaves the recipients that wait by campaign and row of the counts, in the order in which everybody locks those. */
const WAITING = `SELECT campaign_id, number % ${SLOTS} AS slot, count(*)::integer AS count ${OF_CONTACT}
  AND status = 'queued' GROUP BY 1, 2 ORDER BY 1, 2`;

const MOVE_COUNTS = `
  INSERT INTO mail_campaign_counts AS known (organization_id, campaign_id, slot, queued, skipped)
  SELECT $1, campaign_id, slot, -count, count FROM (${WAITING}) AS waiting
  ON CONFLICT (organization_id, campaign_id, slot) DO UPDATE
     SET queued = known.queued + excluded.queued, skipped = known.skipped + excluded.skipped`;

const MOVE_SKIPS = `
  INSERT INTO mail_campaign_skips AS known (organization_id, campaign_id, reason, slot, skipped)
  SELECT $1, campaign_id, 'erased', slot, count FROM (${WAITING}) AS waiting
  ON CONFLICT (organization_id, campaign_id, reason, slot) DO UPDATE SET skipped = known.skipped + excluded.skipped`;

/** What other servers wrote often names the address. */
const ERASE = `
  UPDATE mail_campaign_recipients
     SET contact_id = NULL, email = NULL, email_key = NULL, smtp_response = NULL, bounce_diagnostic = NULL,
         status = CASE WHEN status = 'queued' THEN 'skipped' ELSE status END,
         reason = CASE WHEN status = 'queued' THEN 'erased' ELSE reason END,
         next_attempt_at = CASE WHEN status <> 'queued' THEN next_attempt_at END,
         updated_at = greatest($3::timestamptz, updated_at + interval '1 millisecond')
   WHERE organization_id = $1 AND contact_id = $2`;

const FORGET_READS = `
  DELETE FROM mail_campaign_reads AS read USING mail_campaign_recipients AS recipient
   WHERE recipient.organization_id = $1 AND recipient.contact_id = $2 AND read.organization_id = $1
     AND read.campaign_id = recipient.campaign_id AND read.recipient_number = recipient.number`;

/**
 * Takes a contact out of its recipients, all locked: what is left is the hash of the address and what is counted. Those that wait are
 * skipped, and its single opens and clicks go. As many statements for one campaign as for thousands. Locks: the counts.
 */
export function eraseRecipients(work: Work, contact_id: string): void {
  const whose = [work.organization_id, contact_id];
  work.run(FORGET_READS, whose);
  work.run(MOVE_COUNTS, whose);
  work.run(MOVE_SKIPS, whose);
  work.run(ERASE, [...whose, work.now.toISOString()]);
}
