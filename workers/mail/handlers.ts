import { readInboundJob, revertBouncesJob } from '../../shared/mail/bounces/jobs.ts';
import type { MailServer } from '../../shared/mail/campaigns/faults.ts';
import { freezeCampaignJob, settleUnknownJob, startCampaignJob } from '../../shared/mail/campaigns/jobs.ts';
import { draftGivenUp, goOnRetried, pauseGivenUp } from '../../shared/mail/sending/given-up.ts';
import { sendSliceJob, skipCancelledJob } from '../../shared/mail/sending/jobs.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import type { WorkerSettings } from '../../shared/platform/settings/settings.ts';
import type { Sweep } from '../../shared/platform/sweeps/sweep.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { freezeCampaign } from './freeze-campaign.ts';
import { readInbound } from './read-inbound.ts';
import { bounceMailboxSweep } from './read-mailbox.ts';
import { revertBounces } from './revert-bounces.ts';
import { sendingOf } from './sending/sending.ts';
import { skipCancelledRecipients } from './sending/skip-cancelled.ts';
import { sendSlice } from './sending/slice.ts';
import { settleUnknown } from './settle-unknown.ts';
import { startCampaign } from './start-campaign.ts';

type MailHandling = { outside: OutsideServices; server: MailServer; settings: WorkerSettings };

/** Work of mail at intervals that is done where the settings ask for it. */
export function mailSweeps({ bounceMailboxUrl }: Pick<WorkerSettings, 'bounceMailboxUrl'>): Sweep[] {
  if (!bounceMailboxUrl) return [];
  return [bounceMailboxSweep(bounceMailboxUrl, { clock: () => new Date(), ca: undefined })];
}

/** The jobs of mail. */
export function mailHandlers({ outside, server, settings }: MailHandling): Handled[] {
  return [
    handles(readInboundJob, readInbound(outside)),
    handles(revertBouncesJob, revertBounces),
    handles(settleUnknownJob, settleUnknown),
    handles(startCampaignJob, startCampaign(server), { gaveUp: draftGivenUp }),
    handles(freezeCampaignJob, freezeCampaign, { gaveUp: pauseGivenUp, retried: goOnRetried }),
    handles(sendSliceJob, sendSlice(sendingOf(settings)), { gaveUp: pauseGivenUp, retried: goOnRetried }),
    handles(skipCancelledJob, skipCancelledRecipients),
  ];
}
