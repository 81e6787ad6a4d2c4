import type { Work } from '../../kernel/work.ts';
import { moveCounts } from '../campaigns/counts.ts';
import { countSkips } from '../campaigns/skips.ts';
import { bounceHeld, heldRefusals } from './settle.ts';

/** Recipients of one transaction. */
const ROWS = 2_000;

/**
 * Skips the next recipients of a cancelled campaign who are queued; true where there are no more. Those that a slice has in hand are
 * skipped by it. Locks: the recipients by number, the counts.
 */
export async function skipCancelled(work: Work, campaign_id: string): Promise<boolean> {
  const rows = await work.connection.query<{ number: number }>(
    `UPDATE mail_campaign_recipients
        SET status = 'skipped', reason = 'cancelled', next_attempt_at = NULL, updated_at = greatest($3, updated_at)
      WHERE organization_id = $1 AND campaign_id = $2 AND number IN (
        SELECT number FROM mail_campaign_recipients
         WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued'
         ORDER BY number LIMIT ${ROWS} FOR UPDATE)
     RETURNING number`,
    [work.organization_id, campaign_id, work.now.toISOString()],
  );
  const [first] = rows;
  if (!first) return true;
  const counted = { campaign_id, number: first.number };
  moveCounts(work, counted, { queued: -rows.length, skipped: rows.length });
  countSkips(
    work,
    counted,
    rows.map(() => 'cancelled'),
  );
  return rows.length < ROWS;
}

/**
 * Refusals in a row of a cancelled campaign are about the recipients: nobody will learn more of them. While a slice has mails in hand, it
 * judges them itself. Locks: as `bounceHeld`.
 */
export async function bounceHeldOfCancelled(work: Work, campaign_id: string): Promise<void> {
  const [inHand] = await work.connection.query(
    `SELECT FROM mail_campaign_recipients
      WHERE organization_id = $1 AND campaign_id = $2 AND status = 'sending' LIMIT 1`,
    [work.organization_id, campaign_id],
  );
  if (!inHand) await bounceHeld(work, campaign_id, await heldRefusals(work, campaign_id));
}
