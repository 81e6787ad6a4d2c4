import type { Work } from '../../kernel/work.ts';
import type { CampaignStatus } from '../campaigns/words.ts';
import { queuedAs } from './outcomes.ts';
import { settleRecipients } from './settle.ts';

/** More than a slice has in hand. */
const MOST = 1_000;

type Held = { number: number; attempts: number; next_attempt_at: string | null };

/**
 * Queues again, as they were, the rows that a slice has marked and whose dialogue has not begun; `begun` are the others. For a slice
 * that ends by a fault. Locks: as `settleRecipients`.
 */
export async function releaseMarked(
  work: Work,
  place: { campaign_id: string; lease_id: string; status: CampaignStatus | null },
  begun: readonly number[],
): Promise<void> {
  const rows = await work.connection.query<Held>(
    `SELECT number, attempts, next_attempt_at FROM mail_campaign_recipients
      WHERE organization_id = $1 AND campaign_id = $2 AND status = 'sending' AND lease_id = $3 AND number <> ALL ($4)
      ORDER BY number LIMIT ${MOST} FOR UPDATE`,
    [work.organization_id, place.campaign_id, place.lease_id, begun],
  );
  const at = work.now.toISOString();
  const settlements = rows.map(({ number, ...before }) => {
    return { number, outcome: queuedAs(before), message_id: null, at };
  });
  await settleRecipients(work, place, settlements);
}
