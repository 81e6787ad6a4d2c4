import { type Settling, settleMoreUnknown } from '../../shared/mail/campaigns/unknown.ts';
import type { Delivery } from '../kernel/handler.ts';

/** Settles the unknown recipients of a campaign, a part a transaction: another try goes on with those that are left. */
export async function settleUnknown({ after, ...settling }: Settling, delivery: Delivery): Promise<void> {
  for (let next: number | null = after; next !== null; ) {
    delivery.draining.throwIfAborted();
    const from: number = next;
    await delivery.part(async (work) => {
      next = await settleMoreUnknown(work, { ...settling, after: from });
    });
  }
}
