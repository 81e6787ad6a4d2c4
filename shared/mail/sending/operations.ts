import type { Work } from '../../kernel/work.ts';
import { cancelOwnJob, succeedJob } from '../../platform/jobs/operations.ts';
import { ignoreLimit } from '../campaigns/auto-pause.ts';
import { changeStatus } from '../campaigns/change.ts';
import { freezeCampaignJob } from '../campaigns/jobs.ts';
import { goOnWithJob, pauseLocked } from '../campaigns/pause.ts';
import { campaignForUpdate, campaignTold } from '../campaigns/queries.ts';
import type { Campaign } from '../campaigns/record.ts';
import { requireAction } from '../campaigns/transitions.ts';
import type { PauseReason } from '../campaigns/words.ts';
import { sendSliceJob, skipCancelledJob } from './jobs.ts';
import { HAS_OPEN } from './progress.ts';
import { ignoredAnswer } from './refusals.ts';
import { queueHeld } from './settle.ts';

/**
 * Stops a campaign: within two seconds no mail begins any more. Locks: the campaign, its job. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`.
 */
export async function pauseCampaign(work: Work, id: string): Promise<Campaign> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'pause', work.actor);
  return pauseLocked(work, before, null);
}

/**
 * Has a campaign go on. The limit that paused it holds no more for it. Locks: the campaign, its job. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`.
 */
export async function resumeCampaign(work: Work, id: string): Promise<Campaign> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'resume', work.actor);
  ignoreLimit(work, before);
  const after = changeStatus(
    work,
    before,
    { status: 'sending', pause_reason: null },
    { unreachable_since: null, resumed_at: work.now.toISOString() },
  );
  const { is_frozen } = await standingOf(work, id);
  const job_id = await goOnWithJob(work, id);
  if (is_frozen) work.enqueue(sendSliceJob, { campaign_id: id });
  // Its delivery may have been given up; one that is still under way is shared.
  else if (job_id !== null) work.enqueue(freezeCampaignJob, { campaign_id: id, job_id }, { job_id });
  return after;
}

/**
 * Ends a campaign for good: mails that have begun end, all others are not sent. Locks: the campaign, its job. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`.
 */
export async function cancelCampaign(work: Work, id: string): Promise<Campaign> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'cancel', work.actor);
  const after = changeStatus(work, before, {
    status: 'cancelled',
    pause_reason: null,
    finished_at: before.started_at === null ? null : work.now.toISOString(),
  });
  const { job_id } = await standingOf(work, id);
  if (job_id !== null) await cancelOwnJob(work, job_id);
  if (before.started_at !== null) work.enqueue(skipCancelledJob, { campaign_id: id });
  return after;
}

/** Pauses the campaign of a job that somebody cancels; false for a job that is of no campaign, or whose campaign goes on no more. */
export async function pauseForJob(work: Work, job_id: string): Promise<boolean> {
  const [row] = await work.connection.query<{ id: string }>(
    "SELECT id FROM mail_campaigns WHERE organization_id = $1 AND job_id = $2 AND status IN ('sending', 'paused')",
    [work.organization_id, job_id],
  );
  if (!row) return false;
  const before = await campaignForUpdate(work, row.id);
  if (before.status === 'sending') await pauseLocked(work, before, null);
  else work.nothingChanged();
  return before.status === 'sending' || before.status === 'paused';
}

/** Why a campaign stops by itself. `answer`: what the server said of its sender. */
export type Stop = { reason: PauseReason; answer: string | null };

/**
 * Stops a campaign by itself where it still sends. After an answer about its sender, the recipients that got it are queued again; when
 * somebody resumes it, that answer counts as usual. Answers whether it paused. Locks: the campaign, its job, the recipients, the counts.
 */
export async function stopCampaign(work: Work, id: string, { reason, answer }: Stop): Promise<boolean> {
  const before = await campaignForUpdate(work, id);
  if (answer !== null && before.status !== 'sent') {
    countAsUsual(work, id, answer);
    await queueHeld(work, id);
    // What skips those who are queued may have been there already.
    if (before.status === 'cancelled') work.enqueue(skipCancelledJob, { campaign_id: id });
  }
  if (before.status !== 'sending') return false;
  await pauseLocked(work, before, reason);
  return true;
}

/** Says since when the mail server of a campaign cannot be reached; null: it can. */
export function noteUnreachable(work: Work, id: string, since: string | null): void {
  work.run('UPDATE mail_campaigns SET unreachable_since = $3 WHERE organization_id = $1 AND id = $2', [
    work.organization_id,
    id,
    since,
  ]);
}

/**
 * Ends a campaign none of whose recipients is queued or under way; false where one is, or where it does not send any more. The event is
 * emitted once a campaign. Locks: the campaign, its job.
 */
export async function finishCampaign(work: Work, id: string): Promise<boolean> {
  const before = await campaignForUpdate(work, id);
  if (before.status !== 'sending') return false;
  const [row] = await work.connection.query<{ is_open: boolean }>(`SELECT ${HAS_OPEN} AS is_open`, [
    work.organization_id,
    id,
  ]);
  if (row!.is_open) return false;
  const at = work.now.toISOString();
  const { job_id, sent_event_at } = await standingOf(work, id);
  const changes = { status: 'sent', pause_reason: null, finished_at: at } as const;
  const after = changeStatus(work, before, changes, {
    sent_event_at: sent_event_at ?? at,
    unreachable_since: null,
  });
  if (sent_event_at === null) work.announce('mail.campaign.sent', await campaignTold(work, after));
  if (job_id !== null) await succeedJob(work, job_id, {});
  return true;
}

type Standing = { job_id: string | null; is_frozen: boolean; sent_event_at: string | null };

async function standingOf({ connection, organization_id }: Work, id: string): Promise<Standing> {
  const [row] = await connection.query<Standing>(
    `SELECT job_id, frozen_at IS NOT NULL AS is_frozen, sent_event_at FROM mail_campaigns
      WHERE organization_id = $1 AND id = $2`,
    [organization_id, id],
  );
  return row!;
}

/** An answer that has paused a campaign is one as any other once somebody resumes it. */
function countAsUsual(work: Work, id: string, answer: string): void {
  work.run(
    `UPDATE mail_campaigns SET ignored_limits = ignored_limits || to_jsonb($3::text)
      WHERE organization_id = $1 AND id = $2 AND NOT ignored_limits ? $3`,
    [work.organization_id, id, ignoredAnswer(answer)],
  );
}
