import { bounceHeldOfCancelled, skipCancelled } from '../../../shared/mail/sending/skip-cancelled.ts';
import type { Delivery } from '../../kernel/handler.ts';

/** Ends the recipients of a cancelled campaign who are still queued, a part a transaction: another try goes on with the rest. */
export async function skipCancelledRecipients(
  { campaign_id }: { campaign_id: string },
  delivery: Delivery,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    delivery.draining.throwIfAborted();
    await delivery.part(async (work) => {
      isDone = await skipCancelled(work, campaign_id);
    });
  }
  await delivery.part((work) => bounceHeldOfCancelled(work, campaign_id));
}
