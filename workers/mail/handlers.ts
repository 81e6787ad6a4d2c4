import { readInboundJob, revertBouncesJob } from '../../shared/mail/bounces/jobs.ts';
import type { MailServer } from '../../shared/mail/campaigns/faults.ts';
import { freezeCampaignJob, startCampaignJob } from '../../shared/mail/campaigns/jobs.ts';
import { sendSliceJob, skipCancelledJob } from '../../shared/mail/sending/jobs.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { freezeCampaign } from './freeze-campaign.ts';
import { readInbound } from './read-inbound.ts';
import { revertBounces } from './revert-bounces.ts';
import { skipCancelledRecipients } from './sending/skip-cancelled.ts';
import { type SliceOptions, sendSlice } from './sending/slice.ts';
import { startCampaign } from './start-campaign.ts';

type MailHandling = { outside: OutsideServices; server: MailServer; sending: SliceOptions };

/** The jobs of mail. */
export function mailHandlers({ outside, server, sending }: MailHandling): Handled[] {
  return [
    handles(readInboundJob, readInbound(outside)),
    handles(revertBouncesJob, revertBounces),
    handles(startCampaignJob, startCampaign(server)),
    handles(freezeCampaignJob, freezeCampaign),
    handles(sendSliceJob, sendSlice(sending)),
    handles(skipCancelledJob, skipCancelledRecipients),
  ];
}
