import { applyMessage, waitingMessages } from '../../shared/mail/bounces/apply.ts';
import { pauseAtLimit } from '../../shared/mail/campaigns/auto-pause.ts';
import { reasonsOfMail } from '../../shared/mail/failure-reasons.ts';
import { OutsideFailure } from '../../shared/platform/outside/failure.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { type Delivery, type Handler, TryLater } from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';
import { LIMIT_REACHED, logPaused } from './paused.ts';

/** What an answer to a confirmation may have. */
const MOST_ANSWER = 64 * 1024;

/**
 * Applies messages one after the other, each in a transaction of its own, so that none waits for the locks of another. What is
 * applied is passed over by another try. A campaign of which too much has come back pauses.
 */
export function readInbound({
  call,
}: Pick<OutsideServices, 'call'>): Handler<{ inbound_message_ids: string[] }> {
  return async ({ inbound_message_ids }, delivery) => {
    const { database, organization_id, clock, draining, log } = delivery;
    const waiting = await inDelivery(database, delivery, clock(), (work) =>
      waitingMessages(work, inbound_message_ids),
    );
    for (const message of waiting) {
      draining.throwIfAborted();
      if (message.event.kind === 'confirmation') await confirm(call, message.event.url, delivery);
      let campaign_id: string | null = null;
      await delivery.part(async (work) => {
        campaign_id = await applyMessage(work, message.id);
      });
      if (campaign_id === null) continue;
      const pause_reason = await pauseAtLimit(database, { organization_id, campaign_id, now: clock() });
      if (pause_reason !== null) logPaused(log, { campaign_id, pause_reason, reason: LIMIT_REACHED });
    }
  };
}

/** Opens the address with which a notification service has its subscription confirmed. Errors: `TryLater`. */
async function confirm(call: OutsideServices['call'], url: string, { signal, log }: Delivery): Promise<void> {
  try {
    const { status } = await call({
      url,
      method: 'GET',
      time_limit: 10_000,
      most_bytes: MOST_ANSWER,
      signal,
    });
    if (status >= 500) throw new TryLater(reasonsOfMail.not_confirmed(status).en);
    if (status >= 300) log.warn({ status }, 'A subscription was not confirmed');
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    throw new TryLater(error.message, { cause: error });
  }
}
