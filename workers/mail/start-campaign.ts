import type { MailServer } from '../../shared/mail/campaigns/faults.ts';
import { startDueCampaign } from '../../shared/mail/campaigns/start.ts';
import type { Handler } from '../kernel/handler.ts';

/** Starts a scheduled campaign whose time has come. */
export function startCampaign(server: MailServer): Handler<{ campaign_id: string }> {
  return ({ campaign_id }, delivery) =>
    delivery.settle((work) => startDueCampaign(work, campaign_id, server));
}
