import type { Work } from '../../kernel/work.ts';
import { type Campaign, CampaignModel, campaignFacts } from './record.ts';

/** What a transition changes of a campaign. */
export type StatusChange = Partial<
  Pick<
    Campaign,
    | 'status'
    | 'pause_reason'
    | 'scheduled_at'
    | 'started_at'
    | 'finished_at'
    | 'from_name'
    | 'from_email'
    | 'reply_to'
    | 'mail_order'
  >
>;

/** Changes a locked campaign by a transition, with what its row holds besides, and records it. */
export function changeStatus(
  work: Work,
  before: Campaign,
  changes: StatusChange,
  hidden: Record<string, unknown> = {},
): Campaign {
  const after = { ...before, ...changes, updated_at: work.touch(before) };
  work.update(CampaignModel, before.id, { ...changes, ...hidden, updated_at: after.updated_at });
  work.record(campaignFacts.updated, { before, after });
  return after;
}
