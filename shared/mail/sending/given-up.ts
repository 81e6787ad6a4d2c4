import type { Work } from '../../kernel/work.ts';
import { changeStatus } from '../campaigns/change.ts';
import { goOnWithJob } from '../campaigns/pause.ts';
import { campaignForUpdate } from '../campaigns/queries.ts';
import { stopCampaign } from './operations.ts';

type OfCampaign = { campaign_id: string };

/** What sends a campaign was given up after its last try: it pauses, and says so. Locks: the campaign, its job. */
export async function pauseGivenUp({ campaign_id }: OfCampaign, work: Work): Promise<void> {
  await stopCampaign(work, campaign_id, { reason: 'sending_failed', answer: null });
}

/** An operator has it tried again: the campaign goes on unless somebody has decided otherwise. Locks: the campaign, its job. */
export async function goOnRetried({ campaign_id }: OfCampaign, work: Work): Promise<void> {
  const before = await campaignForUpdate(work, campaign_id);
  if (before.status !== 'paused' || before.pause_reason !== 'sending_failed') return;
  const resumed_at = work.now.toISOString();
  changeStatus(work, before, { status: 'sending', pause_reason: null }, { resumed_at });
  await goOnWithJob(work, campaign_id);
}

/** The start of a scheduled campaign was given up: it is a draft again, as where its checks fail, and says so. Locks: the campaign. */
export async function draftGivenUp({ campaign_id }: OfCampaign, work: Work): Promise<void> {
  const before = await campaignForUpdate(work, campaign_id);
  if (before.status !== 'scheduled') return;
  changeStatus(work, before, { status: 'draft', pause_reason: 'start_failed', scheduled_at: null });
}
