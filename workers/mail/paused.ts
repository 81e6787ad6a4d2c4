import type { Logger } from 'pino';
import type { PauseReason } from '../../shared/mail/campaigns/words.ts';

/** Tells operators of a campaign that has paused by itself; `reason`: what was seen, without an address. */
export function logPaused(
  log: Logger,
  { campaign_id, pause_reason, reason }: { campaign_id: string; pause_reason: PauseReason; reason: string },
): void {
  log.warn({ campaign_id, pause_reason, reason }, 'A campaign has paused by itself');
}

/** What is seen of a campaign of which too much comes back. */
export const LIMIT_REACHED = 'So many bounces or complaints as auto_pause of its settings allows';
